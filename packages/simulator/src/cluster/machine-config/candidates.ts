import type { MachineConfigPool, Node } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { amountOf } from '../../workloads/counts.ts'
import { hash32 } from '../../identity/index.ts'
import { annotationOf, isDegraded, isUnavailable, isWaitingFor } from './node-state.ts'

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
  const waiting = members.filter((node) => isWaitingFor(node, config))
  const last = pool.metadata.name === 'master' ? homeOfOperator(members) : undefined
  return waiting.sort((a, b) => order(a, b, last)).slice(0, room)
}

/** The control plane node on which the operator itself runs: it would have to move. */
function homeOfOperator(members: readonly Node[]): string | undefined {
  const names = members.map(({ metadata }) => metadata.name ?? '')
  return names.reduce<string | undefined>((home, name) => (home === undefined || hash32(name) > hash32(home) ? name : home), undefined)
}

function order(a: Node, b: Node, last: string | undefined): number {
  const isLast = (node: Node): number => (last !== undefined && node.metadata.name === last ? 1 : 0)
  const [left, right] = [placeOf(a), placeOf(b)]
  return isLast(a) - isLast(b) || (left === right ? 0 : left < right ? -1 : 1)
}

/** Objects do not change, and neither does their place among others. */
const places = new WeakMap<Node, string>()

/** Zone, age and name in one text that sorts as they do. */
function placeOf(node: Node): string {
  const before = places.get(node)
  if (before !== undefined) return before
  const { name = '', labels = {}, creationTimestamp } = node.metadata
  const zone = labels[zoneLabel] ?? ''
  const time = String(parseTime(creationTimestamp) ?? 0).padStart(16, '0')
  const place = [zone === '' ? '1' : '0', zone, time, name].join('\u0000')
  places.set(node, place)
  return place
}
