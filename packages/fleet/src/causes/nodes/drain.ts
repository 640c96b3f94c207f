import { Node, Pod, PodDisruptionBudget } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { hasToLeave, selects } from '@windlass/kube'
import { behind, byWeight, linkTo, placeOf, type Trouble } from '../cause.ts'
import { ageOf, patience } from '../ages.ts'
import type { GuestEvidence } from '../evidence.ts'
import { podTrouble } from '../workloads/index.ts'
import { cordonedSince } from './notes.ts'

/**
 * Why a node is not empty yet: a budget that lets no Pod go, a Pod that does not end, or nothing that can be seen. One for each root, the worst first.
 *
 * `started`: when the drain began, where somebody noted it.
 */
export function drainTroubles(
  node: Node,
  { pods, budgets }: GuestEvidence,
  now: Instant,
  started?: string,
): readonly [Trouble, ...Trouble[]] {
  const { name = '' } = node.metadata
  const since = started ?? cordonedSince(node)
  const left = pods.filter((pod) => pod.spec.nodeName === name && hasToLeave(pod))
  const place = placeOf(Node, node, 'guest')
  const link = linkTo(place, left.length === 0 ? 'it is being drained' : `it is being drained: ${podsWords(left.length)} still there`, {
    reason: 'Draining',
    since,
  })
  const found = left.flatMap((pod) => stayTrouble(pod, budgets, now) ?? []).toSorted(byWeight)
  const [first, ...others] = oncePerRoot(found).map((trouble) => behind(link, trouble))
  if (first !== undefined) return [first, ...others]
  const isLate = ageOf(since, now) > patience.node
  return [
    {
      weight: isLate ? 'Broken' : 'Waiting',
      links: [link],
      remedy:
        left.length === 0
          ? 'No Pod is known that stands in the way: see what whoever drains it says.'
          : 'See what becomes of the Pods that are left on it.',
      command: `get pods -A --field-selector spec.nodeName=${name} -o wide`,
    },
  ]
}

function podsWords(count: number): string {
  return count === 1 ? 'one Pod is' : `${count} Pods are`
}

function stayTrouble(pod: Pod, budgets: readonly PodDisruptionBudget[], now: Instant): Trouble | undefined {
  if (pod.metadata.deletionTimestamp !== undefined) return podTrouble(pod, { side: 'guest', claims: [], events: [], now })
  const own = budgets.filter(
    ({ metadata, spec }) => metadata.namespace === pod.metadata.namespace && selects(spec.selector, pod.metadata.labels),
  )
  const place = placeOf(Pod, pod, 'guest')
  if (own.length > 1) {
    const names = own.map(({ metadata }) => metadata.name ?? '').toSorted()
    return {
      weight: 'Broken',
      links: [
        linkTo(place, `it has more than one disruption budget, and is never evicted: ${names.join(', ')}`, { reason: 'MultipleBudgets' }),
      ],
      remedy: 'Leave it one budget: delete the others, or change their selectors.',
      command: `get poddisruptionbudgets -n ${pod.metadata.namespace ?? ''} ${names.join(' ')}`,
    }
  }
  const [budget] = own
  if (budget === undefined || (budget.status?.disruptionsAllowed ?? 0) > 0) return undefined
  return behind(linkTo(place, 'it may not be evicted', { reason: 'DisruptionBudget' }), budgetTrouble(budget))
}

function budgetTrouble(budget: PodDisruptionBudget): Trouble {
  const { spec, status } = budget
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0, observedGeneration = 0 } = status ?? {}
  const wants = spec.maxUnavailable === undefined ? `minAvailable is ${spec.minAvailable ?? 1}` : `maxUnavailable is ${spec.maxUnavailable}`
  const isCounted = status !== undefined && observedGeneration >= (budget.metadata.generation ?? 0)
  const isImpossible = isCounted && desiredHealthy >= expectedPods
  const says = !isCounted
    ? 'it allows no disruption: nobody has counted its Pods since it changed'
    : `it allows no disruption: ${currentHealthy} of ${expectedPods} Pods are healthy and ${desiredHealthy} must be (${wants})`
  return {
    weight: 'Broken',
    links: [
      linkTo(placeOf(PodDisruptionBudget, budget, 'guest'), says, {
        reason: isImpossible ? 'NeverAllowsDisruption' : 'NoDisruptionsAllowed',
        since: findCondition(status?.conditions, 'DisruptionAllowed')?.lastTransitionTime,
      }),
    ],
    remedy: isImpossible
      ? 'It can never let a Pod go: run one replica more than it wants, or let it want one less.'
      : 'Bring the Pods that are not healthy back; then it lets one go at a time.',
  }
}

/** Twenty Pods of one budget are one trouble. */
function oncePerRoot(troubles: readonly Trouble[]): readonly Trouble[] {
  const seen = new Set<string>()
  return troubles.filter(({ links }) => {
    const { object, says } = links.at(-1) ?? links[0]
    const key = `${object.kind} ${object.namespace ?? ''}/${object.name} ${object.kind === 'Pod' ? says : ''}`
    return !seen.has(key) && seen.add(key)
  })
}
