// The administration that the documentation imagines for a server, played on the reference server: its provider does the work.
import { createServer } from 'node:http'

/** What each address of the imagined administration means to the reference server's provider. */
const needOf = {
  '/repositories': ({ private: hidden }) => [hidden ? 'private-repository' : 'public-repository', {}],
  '/threads': ({ unread, ...rest }) => [unread ? 'unread-thread' : 'read-thread', rest],
  '/tokens': (wanted) => ['token', wanted],
}

/** Serves `POST /repositories`, `/threads`, `/tokens` and `DELETE /runs/{run}` on loopback, until closed. */
export async function startAdminApi(provider) {
  const ask = async (need, specifics) => {
    const question = { protocol: 1, run: 'admin', apiVersion: '2026-03-10', need, with: specifics }
    const answer = await fetch(provider, {
      method: 'POST',
      body: JSON.stringify(question),
      headers: { 'Content-Type': 'application/json' },
    })
    return answer.json()
  }
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const [need, specifics] =
      request.method === 'DELETE' ? ['release', {}] : needOf[request.url](JSON.parse(Buffer.concat(chunks).toString()))
    const { given } = await ask(need, specifics)
    response.writeHead(given === undefined ? 422 : 201, { 'Content-Type': 'application/json' }).end(JSON.stringify(given ?? {}))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { address: `http://127.0.0.1:${server.address().port}`, close }
}
