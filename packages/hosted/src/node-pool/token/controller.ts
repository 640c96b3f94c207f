import { ConfigMap, Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { event, keyOf, patch, plan, requeueAfter, wait, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { controlPlaneNamespaceOf } from '../../hosted-cluster/index.ts'
import { clusters } from '../../management/index.ts'
import { poolRefOf, pools, poolSecrets } from '../caches.ts'
import { cloudConfigOf } from '../observe.ts'
import { noNodePoolMetrics, type NodePoolMetrics } from '../metrics/node-pool-metrics.ts'
import { isOurs, scopeChanged } from '../scope.ts'
import type { NodePoolSettings } from '../settings.ts'
import { Annotation, cloudConfigs } from '../wire.ts'
import { decoded, unpacked } from './encoding.ts'
import type { IgnitionService } from './ignition-service.ts'
import type { PayloadGenerator } from './payload.ts'
import { applyToStore, concludePayload, decideToken, type Generated, tokensOf } from './token-controller.ts'
import { cloudConfigHash } from './token-secret.ts'

export interface TokenControllerOptions {
  readonly settings: NodePoolSettings
  readonly generate: PayloadGenerator
  /** Shared with the server that machines ask. */
  readonly ignition: IgnitionService
  readonly metrics?: Pick<NodePoolMetrics, 'rotated' | 'generated'>
}

/** A configuration that could not be made a payload of may be readable another time: images and registries come back. */
const untilNextTry = 60_000

/** Looks after tokens: makes payloads for them, replaces them, deletes those that have expired, and notes which were used. */
export function tokenController(options: TokenControllerOptions): AsyncControllerDefinition<Secret> {
  const tokens = new Tokens(options)
  return {
    name: 'token',
    for: poolSecrets,
    predicate: ({ object }) => isToken(object),
    // A payload that waits for the configuration of its cloud is made when that is there.
    watches: [
      watching(ConfigMap, tokensBeside, ({ object }) => Object.values(cloudConfigs).includes(object.metadata.name ?? '')),
      watching(clusters, tokensOfCluster, scopeChanged),
    ],
    reads: [pools],
    sources: [options.ignition.reached],
    maxConcurrent: 10,
    timeout: 120_000,
    backOff: { first: 1000, longest: 30_000 },
    reconcile: (ref, context) => tokens.look(ref, context),
  }
}

function isToken({ metadata }: Secret): boolean {
  return metadata.annotations?.[Annotation.ignitionConfig] === 'true'
}

function tokensBeside({ metadata: { namespace = '' } }: ConfigMap, cache: CacheReader): readonly Ref[] {
  return tokensAt(namespace, cache)
}

function tokensOfCluster(cluster: HostedCluster, cache: CacheReader): readonly Ref[] {
  return tokensAt(controlPlaneNamespaceOf(cluster), cache)
}

function tokensAt(namespace: string, cache: CacheReader): readonly Ref[] {
  return cache
    .list(poolSecrets, { namespace })
    .filter(isToken)
    .map(({ metadata: { name = '' } }) => ({ namespace, name }))
}

class Tokens {
  readonly #options: TokenControllerOptions
  readonly #metrics: NonNullable<TokenControllerOptions['metrics']>
  /** The tokens that each Secret had when it was last looked at: one that is gone cannot be asked. */
  readonly #known = new Map<string, readonly string[]>()

  constructor(options: TokenControllerOptions) {
    this.#options = options
    this.#metrics = options.metrics ?? noNodePoolMetrics
  }

  async look(ref: Ref, context: ReconcileContext): Promise<Plan> {
    const { ignition } = this.#options
    const { cache, clock, random } = context
    const secret = cache.get(poolSecrets, ref)
    if (secret === undefined || !isToken(secret)) {
      this.#forget(ref)
      return plan()
    }
    if (this.#isSomebodyElses(secret, cache)) {
      this.#forget(ref)
      return wait('another operator, which looks after the pool')
    }
    if (secret.metadata.deletionTimestamp === undefined) await this.#noteReached(ref, secret, context)
    const fresh = random.uuid()
    let decision = decideToken(secret, ignition.store, clock.now(), fresh)
    if (decision.do === 'generate') {
      const began = clock.monotonic()
      const generated = await this.#generate(secret, context)
      this.#metrics.generated(generated.is === 'made' ? (clock.monotonic() - began) / 1000 : undefined)
      const conclusions = concludePayload(secret, generated)
      for (const action of conclusions) await context.act(action)
      if (generated.is === 'failed' && conclusions.length > 0) {
        await context.act(event(secret, 'Warning', 'GetPayloadFailed', `machines get no configuration: ${generated.message}`))
      }
      if (generated.is === 'failed') return requeueAfter(untilNextTry, `a configuration that can be used: ${generated.message}`)
      this.#keep(ref, secret, generated.payload, context)
      const written = cache.get(poolSecrets, ref) ?? secret
      decision = decideToken(written, ignition.store, clock.now(), fresh)
    }
    if (decision.do === 'generate') return requeueAfter(untilNextTry, 'its payload, which was made for something else meanwhile')
    for (const action of 'actions' in decision ? decision.actions : []) await context.act(action)
    applyToStore(decision, ignition.store, clock.now())
    if (decision.do === 'forget') {
      this.#forget(ref)
      return plan()
    }
    if (decision.do === 'rotate') {
      this.#metrics.rotated()
      ignition.forget(decision.forget)
    }
    this.#know(ref, decision.keep, secret)
    return requeueAfter(decision.requeueAfter)
  }

  #isSomebodyElses(secret: Secret, cache: CacheReader): boolean {
    const { settings } = this.#options
    const [ref] = poolRefOf(secret)
    const pool = ref === undefined ? undefined : cache.get(pools, ref)
    return pool === undefined ? settings.mode === 'Observe' : !isOurs(pool, cache, settings)
  }

  /** A machine has come with a token of this pool. It is answered when that is written. */
  async #noteReached(ref: Ref, secret: Secret, { act }: ReconcileContext): Promise<void> {
    const { ignition } = this.#options
    if (!ignition.isAwaited(ref)) return
    if (secret.metadata.annotations?.[Annotation.ignitionReached] === undefined) {
      await act(patch(Secret, ref, { metadata: { annotations: { [Annotation.ignitionReached]: 'True' } } }, 'a machine has come'))
      await act(event(secret, 'Normal', 'GetPayload', 'a machine got its configuration'))
    }
    ignition.recorded(ref)
  }

  async #generate(secret: Secret, { cache, signal }: ReconcileContext): Promise<Generated> {
    const { namespace = '' } = secret.metadata
    if (isCloudConfigBehind(secret, cache)) {
      return { is: 'failed', message: 'the configuration of the cloud is not the one that this payload is for yet', isPending: true }
    }
    try {
      const config = unpacked(decoded(secret, 'config') ?? '')
      const request = { config, release: decoded(secret, 'release') ?? '', version: decoded(secret, 'release-version') ?? '', namespace }
      return { is: 'made', payload: await this.#options.generate(request, signal) }
    } catch (error) {
      signal.throwIfAborted()
      return { is: 'failed', message: error instanceof Error ? error.message : String(error), isPending: false }
    }
  }

  #keep(ref: Ref, secret: Secret, payload: string, { clock }: ReconcileContext): void {
    const { ignition } = this.#options
    const stored = { payload, cloudConfigHash: decoded(secret, 'cloud-config-hash') ?? '' }
    const tokens = tokensOf(secret)
    for (const token of tokens) ignition.store.keep(token, stored, clock.now())
    this.#know(ref, tokens, secret)
  }

  #know(ref: Ref, tokens: readonly string[], { metadata }: Secret): void {
    const expires = parseTime(metadata.annotations?.[Annotation.tokenExpires]) ?? Number.POSITIVE_INFINITY
    const gone = (this.#known.get(keyOf(ref)) ?? []).filter((token) => !tokens.includes(token))
    this.#options.ignition.forget(gone)
    this.#options.ignition.know(ref, tokens, expires)
    this.#known.set(keyOf(ref), tokens)
  }

  #forget(ref: Ref): void {
    this.#options.ignition.forget(this.#known.get(keyOf(ref)) ?? [])
    this.#options.ignition.recorded(ref)
    this.#known.delete(keyOf(ref))
  }
}

function isCloudConfigBehind(secret: Secret, cache: CacheReader): boolean {
  const wanted = decoded(secret, 'cloud-config-hash') ?? ''
  const [ref] = poolRefOf(secret)
  const pool = ref === undefined ? undefined : cache.get(pools, ref)
  if (pool === undefined) return false
  return cloudConfigHash(cloudConfigOf(pool, secret.metadata.namespace ?? '', cache)) !== wanted
}
