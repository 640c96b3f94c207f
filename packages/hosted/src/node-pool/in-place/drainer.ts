import { HostedCluster, Node, Pod } from '@windlass/api'
import type { capi } from '@windlass/api'
import { changed, done, evict, hasToLeave, patch, plan, refOf, requeueAfter, wait } from '@windlass/kube'
import type { Action, AsyncControllerDefinition, CacheReader, FollowedCluster, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { secrets } from '../../management/index.ts'
import { machines, poolRefOf, pools } from '../caches.ts'
import { type Guests, machineRefOf, nodes } from '../guests.ts'
import { isOurs } from '../scope.ts'
import type { NodePoolSettings } from '../settings.ts'
import { NodeAnnotation } from '../wire.ts'
import { type DrainRequest, drainRequestOf } from './drain.ts'
import { listed } from './listed.ts'

export interface DrainerOptions {
  readonly settings: NodePoolSettings
  readonly guests: Guests
}

/** How often Pods that a budget keeps are asked to go. */
const untilNextTry = 10_000

/**
 * Drains nodes that are upgraded in place, when the daemon on one asks for it, and opens them again when it is done. Looks at Machines: they say
 * which node is whose.
 *
 * It is no pure decision, because only the guest can say whether a Pod may be evicted: budgets are spent in the same transaction.
 */
export function nodeDrainer(options: DrainerOptions): AsyncControllerDefinition<capi.Machine> {
  return {
    name: 'node-drainer',
    for: machines,
    predicate: changed(({ status }: capi.Machine) => status?.nodeRef?.name),
    reads: [pools, HostedCluster, secrets],
    sources: [options.guests.changes(asked)],
    maxConcurrent: 16,
    timeout: 300_000,
    backOff: { first: 1000, longest: 30_000 },
    reconcile: (ref, context) => reconcile(ref, options, context),
  }
}

function asked(node: Node): readonly Ref[] {
  const ref = machineRefOf(node)
  return ref === undefined || drainRequestOf(node) === undefined ? [] : [ref]
}

async function reconcile(ref: Ref, { guests, settings }: DrainerOptions, context: ReconcileContext): Promise<Plan> {
  const { cache, signal } = context
  const machine = cache.get(machines, ref)
  const pool = machine === undefined ? undefined : poolOf(machine, cache)
  const name = machine?.status?.nodeRef?.name
  if (pool?.spec.management.upgradeType !== 'InPlace' || name === undefined || !isOurs(pool, cache, settings)) return done
  const guest = await guests.ofPool(pool, context)
  if (guest.is === 'failed') return requeueAfter(untilNextTry, `its guest: ${guest.problem}`)
  const node = guest.value.cache.get(nodes, { name })
  const request = node === undefined ? undefined : drainRequestOf(node)
  if (node === undefined || request === undefined) return done
  if (request.do === 'uncordon') {
    await guest.value.act(applied(node, request, false), signal)
    return done
  }
  if (node.spec.unschedulable !== true) await guest.value.act(cordoned(node), signal)
  const left = await evictAll(name, guest.value, signal)
  if (left > 0) return plan(requeueAfter(untilNextTry), wait(`${left} Pods to leave node ${name}`))
  await guest.value.act(applied(guest.value.cache.get(nodes, { name }) ?? node, request, true), signal)
  return done
}

function poolOf(machine: capi.Machine, cache: CacheReader) {
  const [ref] = poolRefOf(machine)
  return ref === undefined ? undefined : cache.get(pools, ref)
}

function cordoned(node: Node): Action {
  return patch(Node, refOf(node), { spec: { unschedulable: true } }, 'its daemon asks for it to be drained')
}

/** Says that it is done, in the words of the request. */
function applied(node: Node, request: NonNullable<DrainRequest>, isCordoned: boolean): Action {
  const change = {
    metadata: { annotations: { [NodeAnnotation.lastAppliedDrain]: request.text } },
    spec: { unschedulable: isCordoned ? true : null },
  }
  return patch(Node, refOf(node), change, `${request.text} is done`)
}

/** Asks all Pods to go that have to; says how many are still there. */
async function evictAll(node: string, { client }: FollowedCluster, signal: AbortSignal): Promise<number> {
  const pods = await listed(client.list(Pod, { fieldSelector: `spec.nodeName=${node}`, signal }))
  const present = pods.filter(isInTheWay)
  for (const pod of present) {
    if (pod.metadata.deletionTimestamp !== undefined) continue
    await evict(client, pod, signal)
  }
  return present.length
}

/** The daemon that asks for the drain runs on the node itself. */
function isInTheWay(pod: Pod): boolean {
  return hasToLeave(pod) && pod.metadata.labels?.['k8s-app'] !== 'machine-config-daemon'
}
