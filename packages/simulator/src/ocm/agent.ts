import type { OcmMemory } from './memory.ts'
import { answerState } from './policies.ts'
import { callerOf } from './service.ts'
import { clusterBody, type OcmReply, type OcmRequest, policyBody, refusal, reply } from './wire.ts'

/** What the agent of OCM in a cluster answers: a few routes about that cluster, and nothing else. Lists come without an envelope. */
export function answerAsAgent(memory: OcmMemory, { method, path, headers, body }: OcmRequest): OcmReply {
  const cluster = callerOf(memory, headers['authorization'])
  if (cluster === undefined) return refusal(401, 'Request does not contain a valid authorization header')
  const parts = new URL(path, 'http://agent').pathname.split('/').filter((part) => part !== '')
  const [collection, policyId, state] = parts.map(decodeURIComponent)
  if (parts.length === 0 && method === 'GET') return reply(200, clusterBody(cluster))
  if (collection !== 'upgrade_policies' || parts.length > 3)
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' }
  const policies = memory.policiesOf(cluster.id)
  if (policyId === undefined) return reply(200, policies.map(policyBody))
  const policy = policies.find(({ id }) => id === policyId)
  if (policy === undefined) return refusal(404, `Upgrade policy '${policyId}' not found`)
  return state === 'state' ? answerState(memory, policy, method, body) : reply(200, policyBody(policy))
}
