import { decideOcm, isOwed, type NotificationDecision, type OcmNotification, recordOwed, type ServiceLog } from '../notifications/index.ts'
import type { Ocm } from '../outside/types.ts'
import type { Notifying } from './notify.ts'

type Sending = Extract<NotificationDecision, { readonly is: 'send' }>

/** Policies, then the state of one, then what to set: no notification asks for more. */
const mostQuestions = 4

/** Tells OCM, by whatever way is right for the notification. Throws what went wrong. */
export async function tellOcm({ state, description, upgradeConfig }: Sending, notifying: Notifying): Promise<void> {
  const { context, config } = notifying
  const { signal, log } = context
  let known: OcmNotification = { state, description, upgradeConfig, config }
  let found: { readonly ocm: Ocm; readonly id: string } | undefined
  const reach = async (): Promise<{ readonly ocm: Ocm; readonly id: string }> => (found ??= await reachOcm(notifying))
  for (let questions = 0; questions < mostQuestions; questions++) {
    const decision = decideOcm(known)
    switch (decision.is) {
      case 'nothing':
        log.info({ state }, `${state} is not told to OCM: ${decision.why}`)
        return
      case 'failed':
        throw new Error(decision.problem)
      case 'service log':
        return postOnce(decision.log, state, await reach(), notifying)
      case 'ask policies': {
        const { ocm, id } = await reach()
        known = { ...known, policies: await ocm.policies(id, signal) }
        break
      }
      case 'ask state': {
        const { ocm, id } = await reach()
        known = { ...known, policyState: await ocm.policyState(id, decision.policyId, signal) }
        break
      }
      case 'set state': {
        const { ocm, id } = await reach()
        return ocm.setPolicyState(id, decision.policyId, decision.body, signal)
      }
      default:
        return decision satisfies never
    }
  }
  throw new Error(`${state} cannot be told to OCM: it was asked ${mostQuestions} times, and its answers lead nowhere`)
}

async function reachOcm({ parts, context, config, clusterId }: Notifying): Promise<{ readonly ocm: Ocm; readonly id: string }> {
  const ocm = parts.outside.ocm({ baseUrl: config['configManager.ocmBaseUrl'], clusterId: await clusterId() })
  const answer = await ocm.cluster(context.signal)
  if (answer.is !== 'found') throw new Error(answer.problem)
  return { ocm, id: answer.cluster.id }
}

/**
 * Posts an entry of the service log. A policy says itself what it was told; a log does not, so that it is written down before that one is about to be
 * posted. Whoever finds that, and no record of it having been sent, looks whether it is there.
 */
async function postOnce(
  log: ServiceLog,
  state: OcmNotification['state'],
  { ocm, id }: { readonly ocm: Ocm; readonly id: string },
  { stored, context }: Notifying,
): Promise<void> {
  if (isOwed(stored.current, state)) {
    const posted = await ocm.hasServiceLog(id, log, context.signal)
    // Whoever cannot be asked could not be told either: it is tried again later.
    if ('problem' in posted) throw new Error(posted.problem)
    if (posted.value) return
  } else {
    await stored.patch((current) => recordOwed(current, state))
  }
  await ocm.postServiceLog(id, log, context.signal)
}
