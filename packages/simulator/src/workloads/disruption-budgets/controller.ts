import { Deployment, type Pod, PodDisruptionBudget, StatefulSet } from '@windlass/api'
import { type CacheReader, changed, type ControllerDefinition, or, type Ref, refOf, selects, watching } from '@windlass/kube'
import { podCountsOtherwise, pods, replicaSets } from '../caches.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decide, type Observed } from './decide.ts'
import { expectedReplicas } from './expected.ts'

type Scalable = Deployment | StatefulSet

export const disruptionBudgetController: ControllerDefinition<PodDisruptionBudget, Observed> = {
  name: 'simulated-disruption-budgets',
  for: PodDisruptionBudget,
  watches: [
    watching(
      pods,
      ({ metadata }: Pod, cache) => budgetsFor(metadata.namespace ?? '', metadata.labels, cache),
      or(
        podCountsOtherwise,
        changed(({ metadata }: Pod) => metadata.labels),
      ),
    ),
    ...[Deployment, StatefulSet].map((kind) =>
      watching<Scalable>(
        kind,
        ({ metadata, spec }: Scalable, cache) => budgetsFor(metadata.namespace ?? '', spec.template.metadata?.labels, cache),
        changed(({ spec }: Scalable) => spec.replicas),
      ),
    ),
  ],
  reads: [replicaSets],
  maxConcurrent: manyAtOnce,
  tenant: byNamespace,
  observe(ref, cache) {
    const budget = cache.get(PodDisruptionBudget, ref)
    if (budget === undefined) return undefined
    const { namespace = '' } = ref
    const selected = cache.list(pods, { namespace }).filter(({ metadata }) => selects(budget.spec.selector, metadata.labels))
    const isPlainNumber = budget.spec.maxUnavailable === undefined && typeof budget.spec.minAvailable === 'number'
    return { budget, pods: selected, expected: isPlainNumber ? selected.length : expectedReplicas(selected, cache) }
  },
  decide,
}

function budgetsFor(namespace: string, labels: Readonly<Record<string, string>> | undefined, cache: CacheReader): readonly Ref[] {
  return cache
    .list(PodDisruptionBudget, { namespace })
    .filter(({ spec }) => selects(spec.selector, labels))
    .map(refOf)
}
