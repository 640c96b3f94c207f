import { tryParseDuration } from '@windlass/core'
import { stateCell } from '../../states.ts'
import { type Cell, tableLines } from '../../table.ts'
import { wants } from '../details.ts'
import { shortened } from '../durations.ts'
import { abridged } from '../nodes.ts'
import type { NodeView } from '../view.ts'
import type { Layout } from './layout.ts'

/** The nodes of a pool under a title; as many as somebody wants to see. */
export function nodeLines(title: string, nodes: readonly NodeView[], { details, paint }: Layout): readonly string[] {
  if (nodes.length === 0) return []
  const { shown, omitted } = wants(details, 'nodes') ? { shown: nodes, omitted: [] } : abridged(nodes)
  return [
    title,
    ...tableLines(['NAME', 'ASSESSMENT', 'PHASE', 'VERSION', 'EST', 'MESSAGE'], shown.map(rowOf), paint),
    ...omittedLines(omitted),
  ]
}

function rowOf(node: NodeView): readonly Cell[] {
  const { name, assessment, phase, version = '?', message } = node
  return [name, stateCell(assessment), phase, version, estimateOf(node), message]
}

function estimateOf({ assessment, estimatedToComplete }: NodeView): string {
  if (assessment === 'Completed' || assessment === 'Excluded') return '-'
  const left = tryParseDuration(estimatedToComplete)
  return left === undefined ? '?' : `+${shortened(left)}`
}

/** What is left out, counted as in the summary of the pool. */
function omittedLines(omitted: readonly NodeView[]): readonly string[] {
  if (omitted.length === 0) return []
  const count = (isCounted: (node: NodeView) => boolean): number => omitted.filter(isCounted).length
  const counts = [
    `${omitted.length} Total`,
    `${count(({ phase }) => phase === 'Updated')} Completed`,
    `${count(({ isAvailable }) => isAvailable)} Available`,
    `${count(({ phase }) => phase === 'Updating' || phase === 'Rebooting')} Progressing`,
    `${count(({ phase }) => phase !== 'Updated')} Outdated`,
    `${count(({ phase }) => phase === 'Draining')} Draining`,
    `${count(({ phase }) => phase === 'Paused')} Excluded`,
  ].join(', ')
  return ['...', `Omitted additional ${counts}, and 0 Degraded nodes.`, 'Pass along --details=nodes to see all information.']
}
