import { type JsonObject, type KubernetesObject, type OwnerReference, UpdateHealthInsight } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import {
  type Action,
  branch,
  create,
  done,
  equalJson,
  patch,
  type Plan,
  plan,
  refOf,
  remove,
  setControllerReference,
  status,
} from '@windlass/kube'
import { differByMuch } from '../significance.ts'
import { shortened } from '../text.ts'
import { labelsOf, type Manager } from './managers.ts'
import { healthInsightName } from './name.ts'
import type { HealthStatus, Observation } from './observation.ts'

export interface HealthSeen {
  readonly manager: Manager
  /** The progress insight that owns them; undefined while it is about to be created. */
  readonly owner: KubernetesObject | undefined
  /** The insights that are there about the same object. */
  readonly existing: readonly UpdateHealthInsight[]
}

/**
 * Makes the health insights about one object say what was observed, and nothing else. Each goes its own way: one that cannot be written keeps no
 * other from being so.
 *
 * While there is no owner nothing is created: its creation is the reason for another pass, which knows the owner's uid.
 */
export function decideHealth({ manager, owner, existing }: HealthSeen, observations: readonly Observation[], now: Instant): Plan {
  if (existing.length === 0 && observations.length === 0) return done
  const wanted = new Map(observations.map((observation) => [nameOf(manager, observation), observation]))
  const known = new Map(existing.map((insight) => [insight.metadata.name ?? '', insight]))
  const written = [...wanted].map(([name, observation]) =>
    owner === undefined ? done : branch(name, ...actionsFor(name, observation, { manager, owner, insight: known.get(name), now })),
  )
  const others = existing.filter(({ metadata }) => !wanted.has(metadata.name ?? ''))
  return plan(...written, withoutHealth(others, 'nothing of the kind is observed any more'))
}

/** Removes them all. */
export function withoutHealth(insights: readonly UpdateHealthInsight[], reason: string): Plan {
  return plan(...insights.map((insight) => branch(insight.metadata.name ?? '', remove(UpdateHealthInsight, insight, reason))))
}

interface Place {
  readonly manager: Manager
  readonly owner: KubernetesObject
  readonly insight: UpdateHealthInsight | undefined
  readonly now: Instant
}

function actionsFor(name: string, observation: Observation, { manager, owner, insight, now }: Place): readonly Action[] {
  const next = statusOf(observation, insight, now)
  const reason = `it was observed: ${observation.summary}`
  if (insight === undefined) {
    const metadata = { name, labels: labelsOf(manager) }
    const draft = setControllerReference({ metadata, spec: {} }, owner)
    const { apiVersion, kind } = UpdateHealthInsight
    // The status of a new object is written by itself: servers drop it from what is created.
    return [create(UpdateHealthInsight, draft, reason), status(UpdateHealthInsight, { apiVersion, kind, ...draft }, next, reason)]
  }
  // One that is on its way out holds the name until it is gone, and that is the reason for another pass.
  if (insight.metadata.deletionTimestamp !== undefined) return []
  return [
    ...adoption(insight, manager, owner),
    ...(isSame(insight.status, next) ? [] : [status(UpdateHealthInsight, insight, next, reason)]),
  ]
}

/** An insight that is about the right thing but does not say whose it is: from an older controller, or of an owner that is there no more. */
function adoption(insight: UpdateHealthInsight, manager: Manager, owner: KubernetesObject): readonly Action[] {
  const labels = labelsOf(manager)
  const { ownerReferences = [], labels: found = {} } = insight.metadata
  const others = ownerReferences.filter(({ uid, controller }) => controller !== true && uid !== owner.metadata.uid)
  const owners = setControllerReference({ metadata: { ownerReferences: others } }, owner).metadata.ownerReferences
  const isOwned = ownerReferences.some(({ uid, controller }) => uid === owner.metadata.uid && controller === true)
  if (isOwned && Object.entries(labels).every(([name, value]) => found[name] === value)) return []
  const metadata = { labels, ...(isOwned ? {} : { ownerReferences: owners.map(asJson) }) }
  return [patch(UpdateHealthInsight, refOf(insight), { metadata }, 'it has no owner who looks after it', { ifStill: insight })]
}

function asJson({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): JsonObject {
  const flags = { ...(controller === undefined ? {} : { controller }), ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }) }
  return { apiVersion, kind, name, uid, ...flags }
}

const mostResources = 128
const limits = { summary: 256, description: 4096 } as const

/** What the name is made of is what is written: a summary that was cut has the name of the cut one. */
export function nameOf(manager: Manager, { summary, resources }: Observation): string {
  return healthInsightName(manager, shortened(summary, limits.summary), resources.slice(0, mostResources))
}

/** What an insight says of an observation; `insight` is the one that is there, which knows since when. */
export function statusOf(observation: Observation, insight: UpdateHealthInsight | undefined, now: Instant): HealthStatus {
  const { scope, resources, level, impact, summary, description, reference, since } = observation
  return {
    startedAt: formatTime(since ?? parseTime(insight?.status?.startedAt) ?? now),
    scope: { type: scope, resources: resources.slice(0, mostResources) },
    impact: {
      level,
      type: impact,
      summary: shortened(summary, limits.summary),
      ...(description === '' ? {} : { description: shortened(description, limits.description) }),
    },
    remediation: { reference },
  }
}

function isSame(stored: HealthStatus | undefined, next: HealthStatus): boolean {
  if (stored === undefined || differByMuch(stored.startedAt, next.startedAt)) return false
  return equalJson({ ...stored, startedAt: next.startedAt }, next)
}
