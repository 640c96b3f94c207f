import { type JsonObject, Node } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { patch, type Plan, plan, refOf, requeueAfter, wait } from '@windlass/kube'
import { injected, injectionsOf } from '../injections/index.ts'
import { annotationOf } from '../machine-config/index.ts'
import { minutesOf, type Settings } from '../settings.ts'
import { annotate, phaseOf, sinceOf } from './update.ts'

/** In minutes: how often a drain is tried, how often after a while, how long a while is, and after how long it has failed. */
const patience = { first: 1, later: 5, aWhile: 10, failed: 60 } as const

export function isDraining(node: Node): boolean {
  return node.metadata.deletionTimestamp === undefined && phaseOf(node) === 'draining'
}

/** Whether Pods are to be evicted: a drain that is blocked on purpose does not even try. */
export function isHeld(node: Node): boolean {
  return injected(injectionsOf('Node', node).injections, 'drain-blocked') !== undefined
}

/** What is done about a drain after an attempt has left so many Pods behind. */
export function afterAttempt(node: Node, left: number, settings: Settings, now: Instant): Plan {
  if (left === 0 && !isHeld(node)) return plan(write(node, drained(node, now), 'no Pod is left that has to go'))
  const waited = now - sinceOf(node, now)
  const every = waited < minutesOf(settings, patience.aWhile) ? patience.first : patience.later
  const failedAt = sinceOf(node, now) + minutesOf(settings, patience.failed)
  const hasFailed = now >= failedAt && annotationOf(node, 'state') !== 'Degraded'
  return plan(
    hasFailed ? write(node, annotate({ state: 'Degraded', reason: failure(node) }), 'its drain has taken an hour') : undefined,
    requeueAfter(minutesOf(settings, every)),
    now < failedAt ? requeueAfter(failedAt - now) : undefined,
    wait(left === 0 ? 'whoever blocks its drain' : `${left} Pods to go`),
  )
}

function write(node: Node, body: JsonObject, reason: string) {
  return patch(Node, refOf(node), body, reason, { ifStill: node })
}

/** One that was given up goes on. */
function drained(node: Node, now: Instant): JsonObject {
  const hadFailed = annotationOf(node, 'reason') === failure(node)
  return annotate({ lastAppliedDrain: annotationOf(node, 'desiredDrain'), ...(hadFailed ? { state: 'Working', reason: '' } : {}) }, now)
}

function failure({ metadata }: Node): string {
  return `failed to drain node: ${metadata.name ?? ''} after 1 hour. Please see machine-config-controller logs for more information`
}
