import { stateCell } from '../../states.ts'
import { tableLines } from '../../table.ts'
import { learnedWords } from '../learned.ts'
import type { ControlPlaneView, PoolView } from '../view.ts'
import { type Layout, percentWords } from './layout.ts'
import { nodeLines } from './nodes.ts'

/** The machines of the control plane. */
export function controlPlaneNodeLines({ isCompleted, nodes, versions }: ControlPlaneView, layout: Layout): readonly string[] {
  if (isCompleted || nodes === undefined || nodes.total === 0) return []
  if (nodes.completionPercent === 100) return [`All control plane nodes successfully updated to ${versions.target ?? 'unknown'}`]
  return nodeLines('Control Plane Nodes', nodes.nodes, layout)
}

/** Each pool of workers in a line, then the nodes of each. Nothing where nobody works. */
export function workerParts(pools: readonly PoolView[], layout: Layout): readonly (readonly string[])[] {
  if (pools.every(({ total }) => total === 0)) return []
  const rows = pools.map((pool) => [pool.name, stateCell(pool.assessment), completionWords(pool, layout), statusWords(pool)])
  return [
    ['= Worker Upgrade =', '', ...tableLines(['WORKER POOL', 'ASSESSMENT', 'COMPLETION', 'STATUS'], rows, layout.paint)],
    pools.flatMap(({ name, learned }) => (learned === undefined ? [] : [`Learned for ${name}: ${learnedWords(learned, layout.now)}`])),
    ...pools.map(({ name, nodes }) => nodeLines(`Worker Pool Nodes: ${name}`, nodes, layout)),
  ]
}

/** The pools of a hosted cluster. They are updated when somebody asks for it, so that it matters what each runs. */
export function nodePoolLines(pools: readonly PoolView[], layout: Layout): readonly string[] {
  if (pools.length === 0) return []
  const rows = pools.map((pool) => [pool.name, stateCell(pool.assessment), completionWords(pool, layout), wayWords(pool), nodeWords(pool)])
  return ['= Node Pools =', '', ...tableLines(['NODE POOL', 'ASSESSMENT', 'COMPLETION', 'VERSION', 'STATUS'], rows, layout.paint)]
}

function completionWords({ completionPercent, completed, total }: PoolView, layout: Layout): string {
  return total === 0 ? '' : `${percentWords(completionPercent, layout)} (${completed}/${total})`
}

function statusWords({ total, available, progressing, draining, excluded, degraded }: PoolView): string {
  if (total === 0) return '0 Total'
  return [
    `${available} Available, ${progressing} Progressing, ${draining} Draining`,
    ...(excluded > 0 ? [`${excluded} Excluded`] : []),
    ...(degraded > 0 ? [`${degraded} Degraded`] : []),
  ].join(', ')
}

function nodeWords({ total, available }: PoolView): string {
  return total === 0 ? '0 Total' : `${available} Ready${total > available ? `, ${total - available} Not ready` : ''}`
}

function wayWords({ versions }: PoolView): string {
  const { previous = '?', target = '?' } = versions ?? {}
  return previous === target ? target : `${previous} -> ${target}`
}
