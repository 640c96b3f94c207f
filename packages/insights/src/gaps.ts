import { prefixOf } from './health/managers.ts'
import type { ClusterInsights } from './on-the-spot.ts'

/** Kinds of insights whose controller may not run while others do, and who looks after the health insights that go with each. */
const managers = { operators: 'clusteroperator', pools: 'machineconfigpool', nodes: 'node' } as const

export type Gap = keyof typeof managers

const kinds = Object.keys(managers) as Gap[]

/** What no insight is kept into. */
export function gapsIn(kept: ClusterInsights): readonly Gap[] {
  return kinds.filter((kind) => kept[kind].every(({ status }) => status === undefined))
}

/** What is kept, and what was worked out in place of what is not, with what is wrong there. */
export function filled(kept: ClusterInsights, gaps: readonly Gap[], workedOut: ClusterInsights): ClusterInsights {
  const of = <K extends Gap>(kind: K): ClusterInsights[K] => (gaps.includes(kind) ? workedOut[kind] : kept[kind])
  const prefixes = gaps.map((gap) => `${prefixOf[managers[gap]]}-`)
  const unseen = workedOut.health.filter(({ metadata: { name = '' } }) => prefixes.some((prefix) => name.startsWith(prefix)))
  const known = new Set(kept.health.map(({ metadata }) => metadata.name))
  return {
    clusterVersion: kept.clusterVersion,
    operators: of('operators'),
    pools: of('pools'),
    nodes: of('nodes'),
    health: [...kept.health, ...unseen.filter(({ metadata }) => !known.has(metadata.name))],
  }
}
