import { type KubernetesObject, NodePool } from '@windlass/api'
import { type Action, patch, refOf } from '@windlass/kube'
import type { MachineFailure } from './failures.ts'

/**
 * On a pool: the machines that a failure with `times=` has hit, as `infra-error=<uid>,<uid>; slow=<uid>`. Machines that are gone stay in it, because they count.
 * Whoever takes it away begins to count anew.
 */
export const struckAnnotation = 'simulator.windlass.dev/struck'

type Struck = ReadonlyMap<string, readonly string[]>

function struckOf({ metadata }: KubernetesObject): Struck {
  const entries = (metadata.annotations?.[struckAnnotation] ?? '').split(';').map((entry): [string, readonly string[]] => {
    const [mode = '', uids = ''] = entry.trim().split('=')
    return [mode, uids.split(',').filter((uid) => uid !== '')]
  })
  return new Map(entries.filter(([mode]) => mode !== ''))
}

/** Whether a failure that somebody asked for on `carrier` hits this machine: it has already, or there is one left. */
export function hits(carrier: KubernetesObject, { metadata }: KubernetesObject, { mode, times }: MachineFailure): boolean {
  if (times === undefined) return true
  const struck = struckOf(carrier).get(mode) ?? []
  return struck.includes(metadata.uid ?? '') || struck.length < times
}

/** Writes down which failures of the pool have hit a machine; undefined when that is known. `failures` are those that do. */
export function strike(pool: NodePool, { metadata }: KubernetesObject, failures: readonly MachineFailure[]): Action | undefined {
  const struck = struckOf(pool)
  const uid = metadata.uid ?? ''
  const fresh = failures.filter(({ mode, times }) => times !== undefined && struck.get(mode)?.includes(uid) !== true)
  if (fresh.length === 0) return undefined
  const next = new Map(struck)
  for (const { mode } of fresh) next.set(mode, [...(struck.get(mode) ?? []), uid])
  const text = Array.from(next, ([mode, uids]) => `${mode}=${uids.join(',')}`)
    .toSorted()
    .join('; ')
  const annotations = { [struckAnnotation]: text }
  return patch(NodePool, refOf(pool), { metadata: { annotations } }, 'a failure has found its machine', { ifStill: pool })
}
