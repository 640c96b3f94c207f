import type { MachineConfigPool, Node } from '@windlass/api'
import { selects } from '../../workloads/pods/selector.ts'

/** The pool that a node is in: `master` before all others, one of the user's own before `worker`. Undefined when none selects it. */
export function poolOf({ metadata }: Node, pools: readonly MachineConfigPool[]): MachineConfigPool | undefined {
  const matching = pools.filter(({ spec }) => selects(spec.nodeSelector, metadata.labels)).sort(byName)
  const named = (name: string): MachineConfigPool | undefined => matching.find((pool) => pool.metadata.name === name)
  return named('master') ?? matching.find((pool) => pool.metadata.name !== 'worker') ?? named('worker')
}

/** Nodes of a pool, in the order of their names. */
export function membersOf(pool: MachineConfigPool, nodes: readonly Node[], pools: readonly MachineConfigPool[]): readonly Node[] {
  return nodes.filter((node) => poolOf(node, pools)?.metadata.name === pool.metadata.name).sort(byName)
}

interface Named {
  readonly metadata: { readonly name?: string }
}

function byName(a: Named, b: Named): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
