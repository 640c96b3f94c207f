import { Deployment, HostedControlPlane, Secret } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { ensureFinalizer, keyOf, plan, requeue, requeueAfter, wait, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, Plan, Predicate, ReconcileContext, Ref } from '@windlass/kube'
import { componentsOf, formerEtcdShards } from '../components/index.ts'
import type { KubeconfigRequest, Pass, Runner } from '../components/index.ts'
import { alwaysExpected, wantedPullspec } from '../control-plane-version/index.ts'
import type { GuestAccess } from '../guests/index.ts'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { pauseOf } from '../hosted-cluster/pause.ts'
import {
  clusters,
  componentKinds,
  isControlPlaneInScope,
  isOnlyConflicts,
  lookUpRelease,
  patience,
  runComponents,
  secrets,
  snapshotOf,
  within,
} from '../management/index.ts'
import type { ServedKinds } from '../management/index.ts'
import type { Release, ReleaseResolver } from '../releases/index.ts'
import { Finalizer, PoolAnnotation } from '../hosted-cluster/wire.ts'
import { decideControlPlaneDeletion } from './deletion.ts'
import type { SecurityGroupDeletion } from './deletion.ts'
import { coreIgnitionConfigs, ignitionAuthoritySecret } from './core-ignition.ts'
import { infrastructureReady, validHostedControlPlaneConfiguration } from './health.ts'
import { endpointsOf } from './endpoints.ts'
import { lookAt } from './observe.ts'
import type { Look } from './observe.ts'
import { publish } from './publishing.ts'
import { accountKubeconfig, kubeconfigSecrets, passwordSecret } from './secrets.ts'
import { reportImages, reportOn } from './status.ts'

export interface HostedControlPlaneOptions {
  readonly releases: ReleaseResolver
  readonly guests: GuestAccess
  readonly served: ServedKinds
  /** `apps.mgmt.example.com`; without it the management cluster names Routes itself. */
  readonly ingressDomain: string | undefined
  /** Resolves when the name is known to everybody; rejects with an Error that says why not. */
  readonly resolveName: (hostname: string, signal: AbortSignal) => Promise<unknown>
  /** PEM of the authority that machines trust when they fetch their configuration; without it somebody else says whom to trust. */
  readonly ignitionAuthority?: string
  /** Only control planes that are to run this very release; the others are somebody else's. */
  readonly onlyRelease?: string
  /** Only control planes of clusters of this scope; all of them without it. */
  readonly scope?: string
  /** How the default security group of a cluster in AWS is deleted. */
  readonly deleteSecurityGroup?: (controlPlane: HostedControlPlane, signal: AbortSignal) => Promise<SecurityGroupDeletion>
}

/** How often a control plane is looked at though nothing has changed. */
const poll = { ready: 60_000, notReady: 15_000, infrastructure: 60_000 }

/** Whose components are looked after here. What karpenter-operator would run is part of the control plane too, and nobody else makes it. */
const runners: readonly Runner[] = ['hosted-control-plane', 'karpenter-operator']

/** Runs control planes: from one object to everything that a cluster needs on the management side. */
export function hostedControlPlane(options: HostedControlPlaneOptions): AsyncControllerDefinition<HostedControlPlane> {
  const { served, guests } = options
  const kinds = componentKinds.filter((kind) => served.has(kind))
  const runner = new ControlPlanes(options)
  return {
    name: 'hosted-control-plane',
    for: HostedControlPlane,
    watches: [...kinds.map((kind) => watching(kind, inNamespace)), watching(secrets, inNamespace, isOfNoPool), ...guests.watches],
    ...(options.scope === undefined ? {} : { reads: [clusters] }),
    maxConcurrent: 10,
    timeout: 300_000,
    backOff: { first: 1_000, longest: 10_000 },
    reconcile: (ref, context) => runner.look(ref, context),
  }
}

/** Everything in the namespace of a control plane concerns it. */
function inNamespace({ metadata: { namespace = '' } }: KubernetesObject, cache: CacheReader): readonly Ref[] {
  return cache.list(HostedControlPlane, { namespace }).map(({ metadata: { name = '' } }) => ({ namespace, name }))
}

/** But what lets machines in: no component is made from it, and it changes with every upgrade of nodes. */
const isOfNoPool: Predicate<Secret> = ({ object }) => object.metadata.annotations?.[PoolAnnotation.nodePool] === undefined

class ControlPlanes {
  readonly #options: HostedControlPlaneOptions
  /** What each control plane was found to consist of when all of it was last looked at, in this process. */
  readonly #expected = new Map<string, ReadonlySet<string>>()

  constructor(options: HostedControlPlaneOptions) {
    this.#options = options
  }

  async look(ref: Ref, context: ReconcileContext): Promise<Plan> {
    const { onlyRelease, scope, served, guests } = this.#options
    const controlPlane = context.cache.get(HostedControlPlane, ref)
    if (controlPlane === undefined || controlPlane.metadata.deletionTimestamp !== undefined) this.#expected.delete(keyOf(ref))
    if (controlPlane === undefined || !isControlPlaneInScope(controlPlane, scope, context.cache)) return plan()
    const look = lookAt(controlPlane, context.cache, served, guests)
    if (controlPlane.metadata.deletionTimestamp !== undefined) return this.#takeDown(look, context)
    if (onlyRelease !== undefined && onlyRelease !== wantedPullspec(controlPlane)) return plan()
    const finalizer = ensureFinalizer(HostedControlPlane, controlPlane, Finalizer.cluster)
    return finalizer === undefined ? this.#run(look, context) : plan(finalizer)
  }

  async #takeDown({ controlPlane, guest, objects }: Look, { clock, signal }: ReconcileContext): Promise<Plan> {
    const { namespace = '' } = controlPlane.metadata
    return decideControlPlaneDeletion(
      {
        controlPlane,
        versionOperator: objects.find(Deployment, { namespace, name: 'cluster-version-operator' }),
        securityGroup: await this.#securityGroup(controlPlane, signal),
        guest: guest.leftovers,
      },
      clock.now(),
    )
  }

  async #securityGroup(controlPlane: HostedControlPlane, signal: AbortSignal): Promise<SecurityGroupDeletion> {
    const { deleteSecurityGroup } = this.#options
    if (controlPlane.spec.platform.type !== 'AWS') return { is: 'done' }
    if (deleteSecurityGroup !== undefined) return deleteSecurityGroup(controlPlane, signal)
    return { is: 'failed', code: 'UnauthorizedOperation', message: 'there are no credentials for AWS here' }
  }

  /** Says how the control plane is; then, unless something stands in the way, makes it what it should be. */
  async #run(look: Look, context: ReconcileContext): Promise<Plan> {
    const { controlPlane } = look
    const { clock, act, cache } = context
    const ref = refOf(controlPlane)
    const [release, externalName] = await Promise.all([this.#release(controlPlane, context), this.#externalName(look, context)])
    const report = reportOn(look, { release, externalName, expected: this.#expected.get(keyOf(ref)) ?? alwaysExpected }, clock.now())
    for (const action of report.actions) await act(action)

    const held = this.#holdOff(look, clock.now())
    if (held !== undefined) return plan(again(report.again), held)
    const waiting = await this.#prepare(look, context)
    if (waiting !== undefined) return plan(again(report.again), waiting)
    if (release.is === 'failed') return again(report.again)

    const pass = await this.#components(controlPlane, release.value, look, context)
    this.#expected.set(keyOf(ref), new Set([...alwaysExpected, ...pass.expected]))
    const current = cache.get(HostedControlPlane, ref)
    const images = current === undefined ? undefined : reportImages(current, pass.missingImages, clock.now())
    if (images !== undefined) await act(images)
    if (pass.error === undefined) return plan(again(report.again), next(report.ready, pass))
    if (isOnlyConflicts(pass.error)) return requeue('objects that have changed meanwhile')
    throw pass.error
  }

  async #release(controlPlane: HostedControlPlane, { cache, signal, clock }: ReconcileContext): Promise<Lookup<Release>> {
    const pullSecret = cache.get(Secret, { namespace: controlPlane.metadata.namespace ?? '', name: 'pull-secret' })
    const mirrors = controlPlane.spec.imageContentSources
    return lookUpRelease(this.#options.releases, { pullspec: wantedPullspec(controlPlane), pullSecret, mirrors, signal, clock })
  }

  async #externalName({ externalHostname }: Look, { signal, clock }: ReconcileContext): Promise<Lookup<unknown>> {
    if (externalHostname === undefined) return found(undefined)
    try {
      const late = (): Error => new Error(`nobody has told within ${patience / 1000} s where ${externalHostname} is`)
      return found(await within(patience, clock, this.#options.resolveName(externalHostname, signal), late))
    } catch (error) {
      signal.throwIfAborted()
      return failed(error instanceof Error ? error.message : String(error))
    }
  }

  /** Why nothing may be touched; undefined when it may. */
  #holdOff({ controlPlane, servesRoutes }: Look, now: Instant): Plan | undefined {
    const pause = pauseOf(controlPlane.spec.pausedUntil, now)
    if (pause.isPaused) {
      const waitingFor = `the pause of HostedControlPlane ${keyOf(refOf(controlPlane))} to end`
      return pause.until === undefined ? wait(waitingFor) : requeueAfter(pause.until - now, waitingFor)
    }
    const configuration = validHostedControlPlaneConfiguration(controlPlane, servesRoutes)
    return configuration.status === 'False' ? wait(`a configuration that can be used: ${configuration.message}`) : undefined
  }

  /** What must be there before the components: ways in, the API of the guest, and how it is reached. What is missing, if anything is. */
  async #prepare(look: Look, context: ReconcileContext): Promise<Plan | undefined> {
    const { served, ingressDomain, ignitionAuthority } = this.#options
    const { controlPlane, guest } = look
    const { act, cache, random } = context
    for (const action of [...publish(controlPlane, look.objects, ingressDomain), ...guest.actions]) await act(action)
    const objects = snapshotOf(cache, served)
    const infrastructure = infrastructureReady(found(endpointsOf(controlPlane, objects).awaited))
    if (infrastructure.status !== 'True') return requeueAfter(poll.infrastructure, `the infrastructure: ${infrastructure.message}`)
    const { kubeconfig } = guest
    if (kubeconfig.is === 'failed') return requeueAfter(poll.infrastructure, `the API of the guest: ${kubeconfig.problem}`)
    const wanted = [
      ...kubeconfigSecrets(controlPlane, kubeconfig.value, objects),
      ...coreIgnitionConfigs(controlPlane, objects),
      ...(ignitionAuthority === undefined ? [] : ignitionAuthoritySecret(controlPlane, ignitionAuthority, objects)),
      ...passwordSecret(controlPlane, objects, random),
    ]
    for (const action of wanted) await act(action)
    return undefined
  }

  #components(
    controlPlane: HostedControlPlane,
    release: Release,
    { guest, allComponents }: Look,
    context: ReconcileContext,
  ): Promise<Pass> {
    const { served } = this.#options
    const sign = async (request: KubeconfigRequest): Promise<void> => {
      if (guest.kubeconfig.is === 'failed') throw new Error(`there is no kubeconfig for ${request.name}: ${guest.kubeconfig.problem}`)
      for (const action of accountKubeconfig(controlPlane, request, guest.kubeconfig.value, snapshotOf(context.cache, served)))
        await context.act(action)
    }
    const existing = allComponents.flatMap(({ metadata }) => metadata.name ?? [])
    const ours = runners.flatMap((runner) => componentsOf(controlPlane, runner))
    const components = [...ours, ...formerEtcdShards(controlPlane, existing)]
    return runComponents({ components, controlPlane, release, served, sign }, context)
  }
}

function again(rest: Omit<Plan, 'actions'>): Plan {
  return { actions: [], ...rest }
}

/** Looks again in a while, and says what the components wait for. */
function next(isReady: boolean, { waiting }: Pass): Plan {
  const words = waiting.map(({ component, unavailable }) => `${component} waits for ${unavailable.join(', ')}`)
  return requeueAfter(isReady ? poll.ready : poll.notReady, words.length === 0 ? undefined : words.join('; '))
}

function refOf({ metadata: { namespace = '', name = '' } }: HostedControlPlane): Ref {
  return { namespace, name }
}
