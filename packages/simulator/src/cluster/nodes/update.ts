import type { JsonObject, Node, Taint } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import { annotationOf, isSettled, type NodeAnnotation, nodeAnnotations } from '../machine-config/index.ts'

/** Where a node is on the way from one config to the next. */
export type Phase = 'new' | 'idle' | 'targeted' | 'draining' | 'drained' | 'rebooting' | 'back'

/** Read from what its annotations say; nothing else is remembered. */
export function phaseOf(node: Node): Phase {
  const [current, desired, state] = [annotationOf(node, 'currentConfig'), annotationOf(node, 'desiredConfig'), annotationOf(node, 'state')]
  const [wanted, applied] = [annotationOf(node, 'desiredDrain'), annotationOf(node, 'lastAppliedDrain')]
  if (current === '' || desired === '') return 'new'
  if (isSettled(node) || current === desired) return wanted === applied ? 'idle' : 'back'
  if (state === 'Rebooting') return 'rebooting'
  if (!wanted.startsWith('drain-')) return 'targeted'
  return wanted === applied ? 'drained' : 'draining'
}

/** Since when it is there; now when nobody has said so. */
export function sinceOf(node: Node, now: Instant): Instant {
  return parseTime(annotationOf(node, 'since')) ?? now
}

/** Says a few things about a node. With a time, they are a new step, which begins then. */
export function annotate(says: Readonly<Partial<Record<NodeAnnotation, string>>>, since?: Instant): JsonObject {
  const all = since === undefined ? says : { ...says, since: new Date(since).toISOString() }
  const entries = Object.entries(all).map(([which, text]) => [nodeAnnotations[which as NodeAnnotation], text] as const)
  return { metadata: { annotations: Object.fromEntries(entries) } }
}

const cordonKey = 'node.kubernetes.io/unschedulable'

/** Nothing new comes to the node. The taint is what the node's controller adds to it, with the time that drains are counted from. */
export function cordoned({ spec }: Node, now: Instant): JsonObject {
  return {
    spec: { unschedulable: true, taints: [...others(spec.taints), { key: cordonKey, effect: 'NoSchedule', timeAdded: formatTime(now) }] },
  }
}

export function uncordoned({ spec }: Node): JsonObject {
  const left = others(spec.taints)
  return { spec: { unschedulable: null, taints: left.length === 0 ? null : left } }
}

export function isTainted({ spec }: Node): boolean {
  return spec.taints?.some(({ key }) => key === cordonKey) === true
}

function others(taints: readonly Taint[] | undefined): readonly JsonObject[] {
  return (taints ?? []).filter(({ key }) => key !== cordonKey).map((taint) => ({ ...taint }))
}
