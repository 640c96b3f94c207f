import type { Deployment, PodTemplate, ReplicaSet } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { type Draft, equalJson, setControllerReference } from '@windlass/kube'
import { canonicalJson, lettersOf } from '../../identity/index.ts'
import type { Bounds } from './bounds.ts'

/** Says of which template a Pod is. */
export const hashLabel = 'pod-template-hash'
export const revisionAnnotation = 'deployment.kubernetes.io/revision'
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas'
export const mostAnnotation = 'deployment.kubernetes.io/max-replicas'

/** The ReplicaSets of a Deployment: that of its present template, if there is one, and all others. Oldest first. */
export interface Revisions {
  readonly current: ReplicaSet | undefined
  readonly old: readonly ReplicaSet[]
  readonly all: readonly ReplicaSet[]
}

/** Templates are compared, not hashes: another version of the same controller may hash otherwise. The oldest of several that fit is the one. */
export function revisionsOf({ spec }: Deployment, replicaSets: readonly ReplicaSet[]): Revisions {
  const all = replicaSets.toSorted(byAge)
  const current = all.find((each) => each.spec.template !== undefined && isSameTemplate(each.spec.template, spec.template))
  return { current, old: all.filter((each) => each !== current), all }
}

export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const difference = (parseTime(a.metadata.creationTimestamp) ?? 0) - (parseTime(b.metadata.creationTimestamp) ?? 0)
  return difference === 0 ? ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1) : difference
}

function isSameTemplate(ofReplicaSet: PodTemplate, wanted: PodTemplate): boolean {
  if (!equalJson(ofReplicaSet.spec, wanted.spec)) return false
  const { [hashLabel]: _hash, ...labels } = ofReplicaSet.metadata?.labels ?? {}
  return equalJson({ ...ofReplicaSet.metadata, labels }, { ...wanted.metadata, labels: wanted.metadata?.labels ?? {} })
}

export function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0) || 0
}

/** One more than all before it: a template that comes back is the newest again. */
export function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1
}

/** What a ReplicaSet should know of its Deployment: by the first two it is seen later that somebody has scaled that. */
export function notes({ replicas, most }: Bounds): Readonly<Record<string, string>> {
  return { [desiredAnnotation]: String(replicas), [mostAnnotation]: String(most) }
}

/**
 * A ReplicaSet for the present template. Its name follows from the template; where another one has that name already (`collisions` of them), from
 * more than that.
 */
export function newReplicaSet(
  deployment: Deployment,
  { old, replicas, bounds }: { readonly old: readonly ReplicaSet[]; readonly replicas: number; readonly bounds: Bounds },
): Draft<ReplicaSet> {
  const { metadata, spec } = deployment
  const { template, selector, minReadySeconds } = spec
  const hash = freeHash(metadata.name ?? '', canonicalJson(template), old)
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  const draft: Draft<ReplicaSet> = {
    metadata: {
      name: `${metadata.name ?? ''}-${hash}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
      annotations: { ...notes(bounds), [revisionAnnotation]: String(nextRevision(old)) },
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
  return setControllerReference(draft, deployment)
}

function freeHash(name: string, template: string, old: readonly ReplicaSet[]): string {
  for (let collisions = 0; ; collisions++) {
    const hash = lettersOf(collisions === 0 ? template : `${template}/${collisions}`, 10)
    if (!old.some(({ metadata }) => metadata.name === `${name}-${hash}`)) return hash
  }
}
