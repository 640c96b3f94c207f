import type { MachineConfigPool, Node } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { amountOf } from '../../workloads/counts.ts'
import { hash32 } from '../../identity/index.ts'
import { annotationOf, isDegraded, isUnavailable } from './node-state.ts'

const zoneLabel = 'topology.kubernetes.io/zone'

/** How many nodes of a pool may be away at once: 1 unless told, and never none. */
export function mostAway({ spec }: MachineConfigPool, machineCount: number): number {
  return Math.max(1, amountOf(spec.maxUnavailable ?? 1, machineCount, 'down'))
}

/**
 * Nodes to be given the config next: as many as may be away, less those that are, and less those that failed at it. By zone, so that one is done
 * before the next begins; within a zone the oldest first. Those without a zone come last.
 */
export function candidates(pool: MachineConfigPool, members: readonly Node[], config: string): readonly Node[] {
  if (pool.spec.paused === true) return []
  const away = members.filter(isUnavailable)
  const failing = members.filter((node) => !isUnavailable(node) && isDegraded(node) && annotationOf(node, 'desiredConfig') === config)
  const room = mostAway(pool, members.length) - away.length - failing.length
  if (room <= 0) return []
  const waiting = members.filter((node) => annotationOf(node, 'currentConfig') !== '' && annotationOf(node, 'desiredConfig') !== config)
  const last = pool.metadata.name === 'master' ? homeOfOperator(members) : undefined
  return waiting.sort((a, b) => order(a, b, last)).slice(0, room)
}

/** The control plane node on which the operator itself runs: it would have to move. */
function homeOfOperator(members: readonly Node[]): string | undefined {
  const names = members.map(({ metadata }) => metadata.name ?? '')
  return names.reduce<string | undefined>((home, name) => (home === undefined || hash32(name) > hash32(home) ? name : home), undefined)
}

function order(a: Node, b: Node, last: string | undefined): number {
  const keys = (node: Node): readonly (string | number)[] => {
    const { name = '', labels = {}, creationTimestamp } = node.metadata
    const zone = labels[zoneLabel] ?? ''
    return [name === last ? 1 : 0, zone === '' ? 1 : 0, zone, parseTime(creationTimestamp) ?? 0, name]
  }
  const [left, right] = [keys(a), keys(b)]
  const index = left.findIndex((key, place) => key !== right[place])
  return index < 0 ? 0 : (left[index] ?? 0) < (right[index] ?? 0) ? -1 : 1
}
