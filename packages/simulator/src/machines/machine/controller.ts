import { capi, Node } from '@windlass/api'
import type { Pod, Secret } from '@windlass/api'
import { type Instant, parseTime, transitionTime } from '@windlass/core'
import { ClusterFollower, done, event, patch, type Plan, plan, refOf, remove, requeueAfter, status, wait, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, FollowedCluster, ReconcileContext, Ref } from '@windlass/kube'
import { nodeInfoAt } from '../../cluster/nodes/kubelet.ts'
import { failureAnnotation } from '../../failures/index.ts'
import { clusters, machineOf, machines, nodes, poolOf, pods, pools, secrets, sets } from '../caches.ts'
import { isWell } from '../conditions.ts'
import { failingWith, failuresFrom, type MachineFailure, machineFailuresOf, parseMachineFailures, slownessOf } from '../failures.ts'
import { parseUserData } from '../ignition/index.ts'
import { Infrastructure } from '../infrastructure.ts'
import { secondsOf } from '../../profile/index.ts'
import { type Settings, takes } from '../settings.ts'
import { strike } from '../struck.ts'
import { Annotation, isPaused } from '../wire.ts'
import { daemonStep } from './daemon.ts'
import { takeDown } from './deletion.ts'
import { endPods, isUnreachable, kubeletWord, newNode } from './kubelet.ts'
import { type Facts, statusOf } from './status.ts'

/** In seconds: between two tries to get a configuration, between two looks at a guest that does not answer. */
const pause = { ignition: 2, guest: 10, quota: 15 } as const

/** In milliseconds, whatever the speed: who answers is real and needs real time, and is not to be asked by a thousand machines all the time. */
const ignition = { limit: 15_000, shortestPause: 250 } as const

/** What providers, machines and their kubelets do: from the Machine to its Node, and back. */
export function machineController(settings: Settings): AsyncControllerDefinition<capi.Machine> {
  const world = new Machines(settings)
  return {
    name: 'simulated-machines',
    for: machines,
    watches: [
      watching(secrets, ({ metadata: { namespace = '', name = '' } }, cache) =>
        cache.byIndex(machines, 'userData', `${namespace}/${name}`).map(refOf),
      ),
      watching(
        pools,
        ({ metadata: { namespace = '', name = '' } }, cache) => cache.byIndex(machines, 'nodePool', `${namespace}/${name}`).map(refOf),
        (change) =>
          change.type !== 'updated' ||
          change.old.metadata.annotations?.[failureAnnotation] !== change.object.metadata.annotations?.[failureAnnotation],
      ),
    ],
    reads: [clusters, sets, ...world.infrastructure.reads],
    sources: world.sources,
    maxConcurrent: 32,
    timeout: 120_000,
    backOff: { first: 500, longest: 30_000 },
    reconcile: (ref, context) => world.look(ref, context),
  }
}

/** A machine in the middle of a pass. */
interface Moment {
  readonly ref: Ref
  readonly context: ReconcileContext
  readonly failures: readonly MachineFailure[]
  readonly slowness: number
  readonly now: Instant
  /** When there is more to do. */
  readonly later: Instant[]
}

class Machines {
  readonly #settings: Settings
  readonly #guests: ClusterFollower
  /** Machines that are being made at this moment: they take up room already. */
  readonly #making = new Set<string>()
  readonly infrastructure: Infrastructure

  constructor(settings: Settings) {
    this.#settings = settings
    this.infrastructure = new Infrastructure(settings.infrastructure)
    this.#guests = new ClusterFollower({ connect: settings.connect, kinds: [nodes, pods] })
  }

  get sources() {
    const ofNode = (node: Node): readonly Ref[] => {
      const ref = machineOf(node)
      return ref === undefined ? [] : [ref]
    }
    return [
      this.#guests.source(nodes, ofNode),
      // Pods are looked at when they are asked to go, and daemons when they come: their Node may have been seen before.
      this.#guests.source(pods, (pod, cache) =>
        pod.spec.nodeName === undefined || (pod.metadata.deletionTimestamp === undefined && !isDaemon(pod))
          ? []
          : cache.byIndex(machines, 'node', pod.spec.nodeName).map(refOf),
      ),
    ]
  }

  async look(ref: Ref, context: ReconcileContext): Promise<Plan> {
    const { cache } = context
    const machine = cache.get(machines, ref)
    if (machine === undefined) {
      // A guest without machines may be gone, too.
      if (cache.list(machines, { namespace: ref.namespace ?? '' }).length === 0) this.#guests.forget(ref.namespace ?? '')
      return done
    }
    const guest = await this.#guestOf(machine, context)
    const node =
      guest === undefined || typeof guest === 'string'
        ? undefined
        : guest.cache.get(nodes, { name: machine.status?.nodeRef?.name ?? ref.name })
    const pool = poolOf(machine, cache)
    const failures = machineFailuresOf(machine, node, pool)
    const found = pool === undefined ? undefined : strike(pool, machine, failuresFrom(pool, machine))
    if (found !== undefined) await context.act(found)
    if (machine.metadata.deletionTimestamp !== undefined) {
      if (typeof guest === 'string') return requeueAfter(secondsOf(this.#settings, pause.guest), `its guest: ${guest}`)
      // Where the whole cluster goes, nothing has to be moved elsewhere.
      const cluster = cache.get(clusters, { namespace: ref.namespace ?? '', name: machine.spec.clusterName })
      const isClusterGoing = cluster?.metadata.deletionTimestamp !== undefined
      const removal = this.infrastructure.removal(machine, cache)
      return takeDown({ machine, guest: isClusterGoing ? undefined : guest, node, removal, failures, settings: this.#settings }, context)
    }
    if (isPaused(machine)) return wait('its pause to end')
    const now = context.clock.now()
    return this.#advance({ ref, context, failures, slowness: slownessOf(failures), now, later: [] }, guest)
  }

  async #advance(moment: Moment, guest: FollowedCluster | string | undefined): Promise<Plan> {
    const { ref, context, failures, now, later } = moment
    const { cache } = context
    const at = (): capi.Machine => cache.get(machines, ref) ?? fail(ref)
    const userData = cache.get(secrets, { namespace: ref.namespace ?? '', name: at().spec.bootstrap.dataSecretName ?? '' })
    const hasUserData = userData !== undefined || at().status?.bootstrapReady === true
    await this.#make(moment, at())
    await this.#boot(moment, at(), userData)
    const node = await this.#run(moment, at(), guest)
    const infrastructure = infrastructureOf(at(), failures, () => this.#isFull(at(), failures, cache))
    const facts: Facts = { hasUserData, infrastructure, node }
    const ofProvider = hasUserData ? this.infrastructure.actions(at(), cache) : []
    const { problems } = parseMachineFailures(at().metadata.annotations?.[failureAnnotation])
    return plan(
      ...ofProvider,
      status(capi.Machine, at(), statusOf(at(), facts, now), 'the machine has got further', { ifUnchanged: true }),
      ...problems.map((text) => event(at(), 'Warning', 'InvalidFailure', text)),
      requeueAfter(Math.max(1, Math.min(Number.POSITIVE_INFINITY, ...later) - now)),
    )
  }

  /** The provider makes the machine, some time after its user data was there. */
  async #make({ context, failures, slowness, now, later }: Moment, machine: capi.Machine): Promise<void> {
    const { name = '', namespace = '' } = machine.metadata
    if (machine.spec.providerID !== undefined || failingWith(failures, 'infra-error') !== undefined) return
    const since = isWell(machine, 'BootstrapReady') ? transitionTime(machine.status?.conditions, 'BootstrapReady') : undefined
    if (since === undefined) return
    const due = since + takes(this.#settings, 'infrastructure', `${namespace}/${name}/${machine.metadata.uid ?? ''}`, slowness)
    if (now < due) return void later.push(due)
    if (this.#isFull(machine, failures, context.cache)) return void later.push(now + secondsOf(this.#settings, pause.quota))
    const { uid = '' } = machine.metadata
    const provider = machine.spec.infrastructureRef.kind?.replace(/Machine$/, '').toLowerCase() ?? 'simulated'
    this.#making.add(uid)
    try {
      await context.act(
        patch(capi.Machine, refOf(machine), { spec: { providerID: `${provider}://${namespace}/${name}` } }, 'the provider has made it', {
          ifStill: machine,
        }),
      )
    } finally {
      this.#making.delete(uid)
    }
  }

  /** Whether the provider has made as many machines as it may, of the pool or at all. */
  #isFull({ metadata }: capi.Machine, failures: readonly MachineFailure[], cache: CacheReader): boolean {
    if (cache.count(machines, 'made', 'yes') + this.#making.size >= this.#settings.maxMachines) return true
    const quota = failingWith(failures, 'quota')
    if (quota === undefined) return false
    const ofPool = cache.byIndex(machines, 'nodePool', metadata.annotations?.[Annotation.nodePool] ?? '')
    return (
      ofPool.filter((each) => each.spec.providerID !== undefined || this.#making.has(each.metadata.uid ?? '')).length >= (quota.most ?? 0)
    )
  }

  /** The machine asks for its configuration until it gets it. Its version is that of the token that let it in. */
  async #boot({ context, failures, now, later }: Moment, machine: capi.Machine, userData: Secret | undefined): Promise<void> {
    const { cache, act } = context
    const isBooted = machine.metadata.annotations?.[Annotation.booted] !== undefined
    if (machine.spec.providerID === undefined || isBooted || failingWith(failures, 'ignition-unreachable') !== undefined) return
    const question = userData === undefined ? 'its user data is gone' : parseUserData(userData)
    const answer = typeof question === 'string' ? undefined : await this.#ask(question, context)
    if (typeof question === 'string' || answer?.status !== 200) {
      return void later.push(now + Math.max(secondsOf(this.#settings, pause.ignition), ignition.shortestPause))
    }
    const token = cache.get(secrets, { namespace: machine.metadata.namespace ?? '', name: question.tokenSecret ?? '' })
    const version = releaseVersionIn(token) ?? machine.spec.version ?? ''
    const annotations = { [Annotation.booted]: new Date(context.clock.now()).toISOString(), [Annotation.bootedVersion]: version }
    await act(patch(capi.Machine, refOf(machine), { metadata: { annotations } }, 'it has got its configuration'))
  }

  async #ask(question: Parameters<Settings['fetchIgnition']>[0], { clock, signal }: ReconcileContext) {
    const limit = new AbortController()
    const asked = AbortSignal.any([limit.signal, signal])
    const { promise: isLate, resolve: giveUp } = Promise.withResolvers<undefined>()
    const onAbort = (): void => giveUp(undefined)
    // Taken away again when all is over: Node keeps a combined signal as long as somebody listens to it.
    asked.addEventListener('abort', onAbort)
    const cancel = clock.after(ignition.limit, () => limit.abort(new Error('it has taken too long')))
    try {
      // A machine that reaches nobody tries again; why is none of its business.
      return await Promise.race([this.#settings.fetchIgnition(question, asked).catch(() => undefined), isLate])
    } finally {
      // The request is left alone: to break off a request that is over makes an error with a stack, which took a fifth of the time of a large fleet.
      cancel()
      asked.removeEventListener('abort', onAbort)
    }
  }

  /** Its Node: made some time after the machine got its configuration, and from then on what its kubelet and its daemon make of it. */
  async #run(moment: Moment, machine: capi.Machine, guest: FollowedCluster | string | undefined): Promise<Facts['node']> {
    const { context, failures, slowness, now, later } = moment
    const { signal } = context
    const booted = parseTime(machine.metadata.annotations?.[Annotation.booted])
    if (booted === undefined) return undefined
    if (guest === undefined || typeof guest === 'string') {
      later.push(now + secondsOf(this.#settings, pause.guest))
      return 'unknown'
    }
    const { name = '' } = machine.metadata
    const live = (): Node | undefined => guest.cache.get(nodes, { name })
    if (live() === undefined) {
      if (machine.status?.nodeRef !== undefined) return undefined
      const due = booted + takes(this.#settings, 'boot', `${name}/${machine.metadata.uid ?? ''}`, slowness)
      if (now < due) {
        later.push(due)
        return undefined
      }
      await guest.act(newNode(machine), signal)
    }
    const node = live()
    if (node === undefined || node.metadata.deletionTimestamp !== undefined) return node
    if (failingWith(failures, 'node-deleted') !== undefined && machine.status?.nodeRef !== undefined) {
      await guest.act(remove(Node, node, 'somebody has deleted it'), signal)
      return undefined
    }
    const word = kubeletWord(node, machine.metadata.annotations?.[Annotation.bootedVersion] ?? '', failures, this.#settings, now)
    later.push(word.at)
    if (word.action !== undefined) await guest.act(word.action, signal)
    if (!isUnreachable(failures)) {
      later.push(await endPods(guest, name, this.#settings, now, signal))
      await this.#daemon(moment, machine, guest, live() ?? node)
    }
    return live()
  }

  /** The daemon that upgrades a node in place, where one runs. */
  async #daemon({ context, failures, now, later }: Moment, machine: capi.Machine, guest: FollowedCluster, node: Node): Promise<void> {
    const { name = '' } = node.metadata
    const pool = (machine.metadata.annotations?.[Annotation.nodePool] ?? '').split('/').at(1) ?? ''
    const hasDaemon = guest.cache.get(pods, { namespace: `${pool}-upgrade`, name: `${daemonPrefix}${name}` }) !== undefined
    const step = daemonStep(node, hasDaemon, failures, this.#settings, now)
    if (step.at !== undefined) later.push(step.at)
    if (step.restartedTo !== undefined) {
      const { namespace = '' } = machine.metadata
      const version = releaseVersionIn(context.cache.get(secrets, { namespace, name: `token-${pool}-${step.restartedTo}` }))
      const nodeInfo = nodeInfoAt(version ?? '', name, step.restartedTo, node.status?.nodeInfo)
      await guest.act(status(Node, node, { nodeInfo }, 'it has been restarted'), context.signal)
    }
    if (step.patch !== undefined) await guest.act(patch(Node, refOf(node), step.patch, 'its daemon has got further'), context.signal)
  }

  /** Undefined when there is no guest; a text when there is one that cannot be looked into. */
  async #guestOf(
    { metadata: { namespace = '' }, spec }: capi.Machine,
    context: ReconcileContext,
  ): Promise<FollowedCluster | string | undefined> {
    const text = context.cache.get(secrets, { namespace, name: `${spec.clusterName}-kubeconfig` })?.data?.['value']
    if (text === undefined) {
      this.#guests.forget(namespace)
      return undefined
    }
    try {
      const guest = await this.#guests.follow(namespace, Buffer.from(text, 'base64').toString(), context)
      return guest.problem ?? guest
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** What the provider says of a machine. */
function infrastructureOf({ spec }: capi.Machine, failures: readonly MachineFailure[], isFull: () => boolean): Facts['infrastructure'] {
  if (failingWith(failures, 'instance-gone') !== undefined) return { reason: 'InstanceTerminated', message: 'the instance is gone' }
  if (spec.providerID !== undefined) return 'ready'
  const problem = failingWith(failures, 'infra-error')
  if (problem !== undefined) return { reason: problem.reason ?? 'InstanceProvisionFailed', message: 'the provider cannot make the machine' }
  return isFull()
    ? { reason: 'QuotaExceeded', message: 'the provider makes no more machines' }
    : { reason: 'WaitingForInfrastructure', message: '' }
}

/** What upgrades a node in place, by the name that it has on each node. */
const daemonPrefix = 'machine-config-daemon-'

function isDaemon({ metadata, spec }: Pod): boolean {
  return metadata.name === `${daemonPrefix}${spec.nodeName ?? ''}`
}

function releaseVersionIn(token: Secret | undefined): string | undefined {
  const text = token?.data?.['release-version']
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString()
}

function fail({ namespace = '', name }: Ref): never {
  throw new Error(`Machine ${namespace}/${name} has gone while it was looked at`)
}
