// Lists the licences of everything that an installation of the package brings along, from the lock file.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

const installed = Object.entries(packages)
  .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
  .map(([path, { version, license = 'not declared' }]) => ({ name: path.replace(/^.*node_modules\//, ''), version, license }))
  .sort((one, other) => one.name.localeCompare(other.name))
const byLicense = groups(installed)

for (const { name, version, license } of installed) process.stdout.write(`${`${name}@${version}`.padEnd(48)} ${license}\n`)
const counts = [...byLicense].map(([license, of]) => `${license} ${of.length}`)
process.stdout.write(`${installed.length} packages: ${counts.join(', ')}\n`)
if (byLicense.has('not declared')) process.exitCode = 1

function groups(all) {
  const found = new Map()
  for (const one of all) found.set(one.license, [...(found.get(one.license) ?? []), one])
  return found
}
