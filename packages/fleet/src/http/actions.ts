import { HostedCluster } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import { ApiError, type Client, ConnectionError, type Patch } from '@windlass/kube'
import type { ActionRequest, ActionResult, ClusterRow } from '../contract/index.ts'
import { Problem } from './problem.ts'

/**
 * Reads what somebody wants done.
 *
 * # Errors
 *
 * `Problem` with 400, and what was expected.
 */
export function parseAction(value: unknown, now: Instant): ActionRequest {
  const asked = fieldsOf(value)
  switch (asked['do']) {
    case 'upgrade': {
      const { image, side } = asked
      if (typeof image !== 'string' || !/^[^\s/]+\/\S+$/.test(image))
        throw bad('image', 'a release image: example.com/ocp/release:4.20.3-x86_64')
      if (side !== 'Both' && side !== 'ControlPlane') throw bad('side', 'Both or ControlPlane')
      return { do: 'upgrade', image, side }
    }
    case 'pause': {
      const { until } = asked
      if (until === undefined) return { do: 'pause' }
      const moment = typeof until === 'string' ? parseTime(until) : undefined
      if (moment === undefined || moment <= now) throw bad('until', 'a moment to come: 2026-01-31T12:00:00Z')
      return { do: 'pause', until: formatTime(moment) }
    }
    case 'resume':
      return { do: 'resume' }
    default:
      throw bad('do', 'upgrade, pause or resume')
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Problem(400, 'An action is an object: {"do": "pause"}.')
}

function bad(field: string, expected: string): Problem {
  return new Problem(400, `The action has no good "${field}": it is ${expected}.`)
}

/**
 * Does it, by a client with the rights of whoever wants it.
 *
 * # Errors
 *
 * `Problem` with what the cluster said.
 */
export async function act(client: Client, row: ClusterRow, action: ActionRequest): Promise<ActionResult> {
  const { namespace, name } = row
  if (row.kind === 'Classic' || namespace === undefined) throw new Problem(422, forClassic(row, action))
  try {
    await client.patch(HostedCluster, { namespace, name }, patchFor(action))
  } catch (error) {
    throw problemOf(error)
  }
  return { message: done(`HostedCluster ${namespace}/${name}`, action) }
}

/** Both sides: a release of the control plane's own would win over the common one. */
function patchFor(action: ActionRequest): Patch {
  if (action.do === 'pause') return { spec: { pausedUntil: action.until ?? 'true' } }
  if (action.do === 'resume') return { spec: { pausedUntil: null } }
  const { image, side } = action
  return { spec: side === 'Both' ? { release: { image }, controlPlaneRelease: null } : { controlPlaneRelease: { image } } }
}

function done(what: string, action: ActionRequest): string {
  if (action.do === 'resume') return `${what} is looked after again.`
  if (action.do === 'pause')
    return `${what} is left as it is ${action.until === undefined ? 'until somebody resumes it' : `until ${action.until}`}.`
  return `${what}: ${action.side === 'Both' ? 'control plane and nodes that follow it are' : 'the control plane alone is'} asked to run ${action.image}.`
}

function forClassic({ name }: ClusterRow, { do: verb }: ActionRequest): string {
  if (verb === 'upgrade') return `${name} is a classic cluster: upgrade it with windlass upgrade start, which checks it first.`
  return `${name} is a classic cluster, which cannot be paused as a whole: call its upgrade off with windlass upgrade cancel.`
}

function problemOf(error: unknown): unknown {
  if (error instanceof ApiError) return new Problem(error.code >= 400 && error.code < 500 ? error.code : 502, error.message)
  if (error instanceof ConnectionError) return new Problem(503, error.message, { 'retry-after': '5' })
  return error
}
