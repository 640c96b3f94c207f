import { DaemonSet, type Node, Pod } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { create, done, type Draft, type Plan, plan, remove, status } from '@windlass/kube'
import { again } from '../again.ts'
import { amountOf, counted } from '../counts.ts'
import { hasEnded, isActive, isAvailable, isReady, isTerminating, podFrom, podName, untilAvailable } from '../pods/index.ts'
import { revisionLabel, templateHash } from '../revision.ts'
import { daemonTolerations, eligibilityOf } from './nodes.ts'

export interface Observed {
  readonly set: DaemonSet
  /** All that it controls. */
  readonly pods: readonly Pod[]
  readonly nodes: readonly Node[]
}

/** What a node has of the set. */
interface Post {
  readonly node: Node
  readonly shouldRun: boolean
  /** Of the present template. */
  readonly current: Pod | undefined
  readonly outdated: Pod | undefined
  /** A Pod is on its way out: what it holds of the node is not free yet. */
  readonly isLeft: boolean
  /** What should not be there: a second one, one that has ended, one on a node that it must not be on. */
  readonly excess: readonly Pod[]
}

/** Keeps a Pod on each node that should have one, and brings them to the present template as many at a time as may be away. */
export function decide({ set, pods, nodes }: Observed, now: Instant): Plan {
  if (set.metadata.deletionTimestamp !== undefined) return done
  const hash = templateHash(set.spec.template)
  const posts = postsOf(set, pods, nodes, hash)
  const known = new Set(nodes.map(({ metadata }) => metadata.name ?? ''))
  const lost = pods.filter((pod) => !isTerminating(pod) && !known.has(pod.spec.nodeName ?? ''))
  const { surged, replaced } = updateOf(set, posts, now)
  const fresh = [...posts.filter(isMissing), ...surged].filter(({ isLeft }) => !isLeft)
  return plan(
    ...fresh.map(({ node }) => create(Pod, draftFor(set, node, hash), `node ${node.metadata.name} should have one`)),
    ...posts.flatMap(({ excess }) => excess.map((pod) => remove(Pod, pod, 'it should not be there'))),
    ...lost.map((pod) => remove(Pod, pod, `its node ${pod.spec.nodeName} is gone`, { gracePeriodSeconds: 0 })),
    ...replaced.map((pod) => remove(Pod, pod, 'it is of an old template')),
    status(DaemonSet, set, statusOf(set, posts, new Set(fresh), now), 'its Pods have changed', {
      ifUnchanged: true,
    }),
    again(untilAvailable(pods, set.spec.minReadySeconds, now), 'Pods to have been ready for long enough'),
  )
}

function postsOf(set: DaemonSet, pods: readonly Pod[], nodes: readonly Node[], hash: string): readonly Post[] {
  const byNode = Map.groupBy(pods, ({ spec }) => spec.nodeName ?? '')
  return nodes.map((node) => {
    const { shouldRun, mayStay } = eligibilityOf(set, node)
    const all = byNode.get(node.metadata.name ?? '') ?? []
    const there = all.filter((pod) => !isTerminating(pod))
    const living = there.filter(isActive)
    const current = mayStay ? living.find(({ metadata }) => metadata.labels?.[revisionLabel] === hash) : undefined
    const outdated = mayStay ? living.find(({ metadata }) => metadata.labels?.[revisionLabel] !== hash) : undefined
    const isLeft = there.length < all.length
    return {
      node,
      shouldRun,
      current,
      outdated,
      isLeft,
      excess: there.filter((pod) => hasEnded(pod) || (pod !== current && pod !== outdated)),
    }
  })
}

function isMissing({ shouldRun, current, outdated }: Post): boolean {
  return shouldRun && current === undefined && outdated === undefined
}

/** Pods are made on their node: there is nothing to schedule. */
function draftFor(set: DaemonSet, { metadata }: Node, hash: string): Draft<Pod> {
  const { template } = set.spec
  const node = metadata.name ?? ''
  const name = podName(set.metadata.name ?? '', `${node}/${hash}`)
  const spec = { ...template.spec, tolerations: [...(template.spec.tolerations ?? []), ...daemonTolerations] }
  return podFrom({ owner: set, template: { ...template, spec }, name, node, labels: { [revisionLabel]: hash } })
}

/**
 * Where Pods may be away, that many go at once, those first that are of no use anyway. Where they may not, as many nodes as may have two get a new one,
 * and the old one goes when the new one is in service.
 */
function updateOf(
  { spec }: DaemonSet,
  posts: readonly Post[],
  now: Instant,
): { readonly surged: readonly Post[]; readonly replaced: readonly Pod[] } {
  const { type, rollingUpdate = {} } = spec.updateStrategy ?? {}
  if (type === 'OnDelete') return { surged: [], replaced: [] }
  const wanted = posts.filter(({ shouldRun }) => shouldRun)
  const isUp = (pod: Pod | undefined): pod is Pod => pod !== undefined && isAvailable(pod, spec.minReadySeconds, now)
  const surge = amountOf(rollingUpdate.maxSurge, wanted.length, 'up')
  const old = wanted.flatMap((post) => (post.outdated === undefined ? [] : [{ post, pod: post.outdated }]))
  if (surge > 0) {
    const twice = old.filter(({ post }) => post.current !== undefined)
    const room = Math.max(0, surge - twice.length)
    return {
      surged: old
        .filter(({ post }) => post.current === undefined)
        .slice(0, room)
        .map(({ post }) => post),
      replaced: twice.filter(({ post }) => isUp(post.current)).map(({ pod }) => pod),
    }
  }
  const allowed = Math.max(1, amountOf(rollingUpdate.maxUnavailable ?? 1, wanted.length, 'up'))
  const isServed = ({ current, outdated }: Post): boolean => isUp(current) || isUp(outdated)
  const room = Math.max(0, allowed - wanted.filter((post) => !isServed(post)).length)
  const useless = old.filter(({ pod }) => !isUp(pod))
  const useful = old.filter(({ pod }) => isUp(pod)).slice(0, room)
  return { surged: [], replaced: [...useless, ...useful].map(({ pod }) => pod) }
}

/** Those that get a Pod now are counted already. */
function statusOf({ metadata, spec }: DaemonSet, posts: readonly Post[], fresh: ReadonlySet<Post>, now: Instant) {
  const wanted = posts.filter(({ shouldRun }) => shouldRun)
  const has = ({ current, outdated }: Post, isSo: (pod: Pod) => boolean): boolean =>
    [current, outdated].some((pod) => pod !== undefined && isSo(pod))
  const available = wanted.filter((post) => has(post, (pod) => isAvailable(pod, spec.minReadySeconds, now))).length
  return {
    observedGeneration: metadata.generation,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: wanted.filter((post) => fresh.has(post) || has(post, () => true)).length,
    numberMisscheduled: posts.filter((post) => !post.shouldRun && has(post, () => true)).length,
    numberReady: wanted.filter((post) => has(post, isReady)).length,
    updatedNumberScheduled: counted(wanted.filter((post) => fresh.has(post) || post.current !== undefined).length),
    numberAvailable: counted(available),
    numberUnavailable: counted(wanted.length - available),
  }
}
