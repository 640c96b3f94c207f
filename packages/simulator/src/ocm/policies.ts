import { isOver, type OcmMemory, type OcmPolicy, policyValues } from './memory.ts'
import { type OcmReply, refusal, reply, stateBody } from './wire.ts'

/** GET and PATCH of a policy's state, which OCM and its agent serve alike. */
export function answerState(memory: OcmMemory, policy: OcmPolicy, method: string, body: string): OcmReply {
  if (method === 'GET') return reply(200, stateBody(memory, policy))
  if (method !== 'PATCH') return refusal(405, `Method ${method} is not allowed`)
  const change = fieldsOf(body)
  if (change === undefined) return refusal(400, 'The body is not a JSON object')
  const value = policyValues.find((each) => each === change['value'])
  if (value === undefined) return refusal(400, `Attribute 'value' must be one of ${policyValues.join(', ')}`)
  const before = memory.stateOf(policy.id)?.value ?? 'pending'
  if (isOver(before) && before !== value) return refusal(400, `Upgrade policy ${policy.id} is ${before}: it cannot become ${value}`)
  memory.tell(policy.id, { value, description: typeof change['description'] === 'string' ? change['description'] : '' })
  return reply(200, stateBody(memory, policy))
}

/** The fields of a JSON object; undefined for anything else. */
export function fieldsOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
