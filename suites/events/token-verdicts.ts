import type { Caller } from '../../src/http/caller.ts'
import type { RequestSpec } from '../../src/http/client.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { refusals } from '../../src/suite/expectations.ts'
import { Listing } from '../../src/suite/listing.ts'

/** A token that must be served; a refusal counts only when the token works elsewhere (readings G4). */
export async function grantedTo(t: CheckContext, caller: Caller, request: RequestSpec): Promise<void> {
  const answer = await t.read(request)
  if (refusals.includes(answer.status)) await provenValid(t, caller)
  t.expect(answer).status(200).array()
}

/** A token that must be refused, while it works elsewhere and `served` is served to an entitled one (readings G3, G4). */
export async function refusedTo(t: CheckContext, caller: Caller, request: RequestSpec, entitled: RequestSpec): Promise<void> {
  const control = await t.read(entitled)
  if (control.status !== 200) t.untested(`the request fails for an authorised caller as well (${control.status})`)
  if (caller.secret !== undefined) await provenValid(t, caller)
  t.expect(await t.read(request)).refused('event')
}

/** Ends the check unless the token is accepted by one of two feeds that need no permission. */
async function provenValid(t: CheckContext, caller: Caller): Promise<void> {
  const everything = await t.read(new Listing(t, { endpoint: endpoints.publicEvents, as: caller }).request())
  if (everything.status === 200) return
  const { org } = await t.ask('organization', {})
  const { status } = await t.read(
    new Listing(t, { endpoint: endpoints.organizationEvents, params: { org }, as: caller }).request(),
  )
  if (status !== 200) t.untested(`the token ${caller.label} fails elsewhere as well, so its rejection proves nothing`)
}
