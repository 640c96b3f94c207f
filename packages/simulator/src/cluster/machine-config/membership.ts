import type { MachineConfigPool, Node } from '@windlass/api'
import { selects } from '@windlass/kube'

/** The pool that a node is in: `master` before all others, one of the user's own before `worker`. Undefined when none selects it. */
export function poolOf({ metadata }: Node, pools: readonly MachineConfigPool[]): MachineConfigPool | undefined {
  const name = poolName(metadata.labels ?? none, selectorsOf(pools))
  return pools.find((pool) => pool.metadata.name === name)
}

/** Nodes of a pool, in the order of their names. */
export function membersOf(pool: MachineConfigPool, nodes: readonly Node[], pools: readonly MachineConfigPool[]): readonly Node[] {
  const selectors = selectorsOf(pools)
  return nodes.filter(({ metadata }) => poolName(metadata.labels ?? none, selectors) === pool.metadata.name).sort(byName)
}

const none: Readonly<Record<string, string>> = {}

/** Who takes which nodes, in the order of names. */
type Selectors = readonly { readonly name: string | undefined; readonly selector: MachineConfigPool['spec']['nodeSelector'] }[]

let last: Selectors = []

/** The same list as before when it has not changed: what was found out with it is still true. */
function selectorsOf(pools: readonly MachineConfigPool[]): Selectors {
  const selectors = pools.map(({ metadata, spec }) => ({ name: metadata.name, selector: spec.nodeSelector })).sort(byName)
  const isSame =
    selectors.length === last.length &&
    selectors.every(({ name, selector }, index) => name === last[index]?.name && selector === last[index]?.selector)
  if (!isSame) last = selectors
  return last
}

/** By the labels of a node, which stay while everything else about it changes: a pool of thousands asks about all of them whenever one is another. */
const known = new WeakMap<object, { readonly selectors: Selectors; readonly name: string | undefined }>()

function poolName(labels: Readonly<Record<string, string>>, selectors: Selectors): string | undefined {
  const before = known.get(labels)
  if (before?.selectors === selectors) return before.name
  const matching = selectors.filter(({ selector }) => selects(selector, labels)).map(({ name }) => name)
  const name = matching.find((each) => each === 'master') ?? matching.find((each) => each !== 'worker') ?? matching[0]
  known.set(labels, { selectors, name })
  return name
}

interface Named {
  readonly metadata: { readonly name?: string }
}

function byName(a: Named | { readonly name: string | undefined }, b: Named | { readonly name: string | undefined }): number {
  return (nameOf(a) ?? '') < (nameOf(b) ?? '') ? -1 : 1
}

function nameOf(named: Named | { readonly name: string | undefined }): string | undefined {
  return 'metadata' in named ? named.metadata.name : named.name
}
