import { bearer, type Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { permissionRows } from '../../src/spec/permissions/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Deviation } from '../../src/suite/deviation.ts'
import { Untested } from '../../src/suite/untested.ts'

/** A token that no target has issued. */
export const inventedToken: Caller = bearer('conformance-no-such-token-51f0e2a7', 'invented')

/** Ends the check as untested if two roles belong to one user, or if the configuration does not state their logins. */
export function requireTwoUsers(
  t: CheckContext,
  caller: Caller,
  other: Pick<Caller, 'login' | 'secret'>,
) {
  if (caller.secret === undefined) return
  const [one, two] = [caller.login?.toLowerCase(), other.login?.toLowerCase()]
  if (caller.secret === other.secret || (one !== undefined && one === two))
    t.untested('the two roles are one user', 'token')
  const mayBeOne = caller.role === 'member' || caller.role === 'org-owner'
  if (mayBeOne && (one === undefined || two === undefined))
    t.untested(
      'the two roles may be one user; add their logins to tokens in the configuration',
      'token',
    )
}

/**
 * True if the target treats this token differently from an invented one, so that it is known as valid (readings G4). A public
 * feed, a private feed or a permitted row must serve the token alone, or the statuses must differ at the inbox or the migrations.
 * The result is kept for each token and version. As a last resort, the judged request decides, if it is a GET. Other callers need
 * no proof.
 */
export async function isProven(t: CheckContext, caller: Caller, judged?: RequestSpec) {
  const { secret } = caller
  if (secret === undefined || secret === inventedToken.secret) return true
  if (await t.shared(`proven ${secret}`, (once) => isKnownSomewhere(once, caller))) return true
  return judged?.endpoint.method === 'GET' && isToldApart(t, caller, judged)
}

/**
 * True if the token and an invented one receive different statuses, and the status of the token is not 401. With `served`, only a
 * served token counts, beside an invented one that is not.
 */
async function isToldApart(t: CheckContext, caller: Caller, address: Address, served = false) {
  const own = await t.read({ ...address, as: caller })
  const isClear = served ? own.ok : own.status !== 401 && isAboutCaller(own)
  if (!isClear) return false
  // The response to the invented token is shared, because the quota of such callers may be small.
  const control = { ...address, as: inventedToken, control: true }
  const invented = await unlessUntested(
    t.shared(`control ${JSON.stringify(control)}`, (once) => once.read(control)),
  )
  if (!invented || !isAboutCaller(invented)) return false
  return served ? !invented.ok : own.status !== invented.status
}

/** Ends the check unless the token is proven: as throttled if a used-up quota prevents the proof, otherwise as untested. */
export async function requireProven(t: CheckContext, caller: Caller, judged?: RequestSpec) {
  if (await isProven(t, caller, judged)) return
  await t.read({ ...publicFeed, as: inventedToken, control: true })
  t.untested(
    `no response distinguishes the token ${caller.label} from one that was never issued`,
    'token',
  )
}

/** False for a response about the rate of the requests or about a failure of the server. */
export const isAboutCaller = ({ throttled, broken }: Exchange) => !throttled && !broken

type Address = Omit<RequestSpec, 'as'>

async function isKnownSomewhere(t: CheckContext, caller: Caller) {
  const places = [
    () => publicFeed,
    () => givenFeed(t, 'organization'),
    () => givenFeed(t, 'private-repository'),
    () => entitledRow(caller),
  ]
  for (const find of places) {
    const address = await find()
    if (address && (await isToldApart(t, caller, address, true))) return true
  }
  const lists = [endpoints.listNotifications, endpoints.listMigrations]
  for (const endpoint of lists)
    if (await isToldApart(t, caller, { ...publicFeed, endpoint })) return true
  return false
}

const publicFeed: Address = { endpoint: endpoints.publicEvents, query: { per_page: 1 } }

/** Given data as the parameters of a path. Undefined if the operator of the target does not provide them. */
export async function givenParameters(
  t: CheckContext,
  name: 'organization' | 'private-repository' | 'failed-migration' | 'expired-migration',
) {
  const given = await unlessUntested(t.ask(name, {}))
  return given && { params: { ...given } }
}

/** The feed of given data. */
async function givenFeed(t: CheckContext, name: 'organization' | 'private-repository') {
  const given = await givenParameters(t, name)
  const endpoint =
    name === 'organization' ? endpoints.organizationEvents : endpoints.repositoryEvents
  return given && { ...publicFeed, endpoint, ...given }
}

/** The rows below `/user/` that read and have no parameter in their path. */
export const plainReads = permissionRows.filter(
  ({ access, path }) => access === 'read' && path.startsWith('/user/') && !path.includes('{'),
)

/** The migrations of a user, or a row that the declared permissions of the token cover. */
function entitledRow({ kind, permissions }: Caller) {
  if (kind === 'classic') return { endpoint: endpoints.listMigrations, query: { per_page: 1 } }
  const row = plainReads.find(
    ({ category }) => permissions?.[category.owner]?.[category.slug] !== undefined,
  )
  return row && { endpoint: row.endpoint }
}

/** The result of a reading. Undefined if the reading deviates: another check reports that deviation. */
export const unlessDeviating = <Value>(reading: Promise<Value>) => unless(Deviation, reading)

/** The value of a need. Undefined if the operator of the target does not provide it. */
export const unlessUntested = <Value>(wanted: Promise<Value>) => unless(Untested, wanted)

function unless<Value>(kind: typeof Deviation | typeof Untested, attempt: Promise<Value>) {
  return attempt.catch((error: unknown) => {
    if (error instanceof kind) return undefined
    throw error
  })
}
