import assert from 'node:assert/strict'
import { capi, ConfigMap, HostedCluster, KubevirtMachineTemplate, NodePool, type Resource, Secret } from '@windlass/api'
import { normalisedMinor, parseVersion, type Version } from '@windlass/core'
import type { World } from '@windlass/kube/simulation'
import { planControlPlaneMove, plannedFor } from '../skew/index.ts'
import { isUserDataNeeded } from '../token/expiry.ts'
import { decoded } from '../token/index.ts'
import { Annotation } from '../wire.ts'
import { configWith, type Deed, deeds, failing, type Occasion, sharedConfig, sometime } from './deeds.ts'
import type { Desk } from './desk.ts'
import {
  ask,
  controlPlaneAt,
  controlPlaneLeavesFor,
  hashIn,
  home,
  isAt,
  machinesIn,
  nodesIn,
  poolIn,
  poolRef,
  questionWith,
  secretsIn,
  upgrade,
} from './world.ts'

type Spec = NodePool['spec']

const replaced = (maxSurge: number | string, maxUnavailable: number | string): Spec['management'] => ({
  upgradeType: 'Replace',
  autoRepair: true,
  replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
})
const kept = (maxUnavailable: number | string, autoRepair: boolean): Spec['management'] => ({
  upgradeType: 'InPlace',
  autoRepair,
  inPlace: { maxUnavailable },
})
const shared: Partial<Spec> = { config: [{ name: sharedConfig }] }

/** One of each sort that behaves differently. */
const pools: Readonly<Record<string, Partial<Spec>>> = {
  careful: { replicas: 3, management: replaced(1, 0), ...shared },
  tight: { replicas: 2, management: replaced(0, 1) },
  wide: { replicas: 2, management: replaced('50%', '50%') },
  stay: { replicas: 2, management: kept(1, false) },
  crowd: { replicas: 3, management: kept('70%', true), ...shared },
}
const names = Object.keys(pools)

/** Where the control plane is asked to go: back to an earlier patch, to a later one, to the next minor, and two minors on, which leaves pools behind. */
const destinations = ['4.19.4', '4.19.12', '4.20.1', '4.21.2'] as const
const between = [parseVersion('4.20.6')]

/**
 * Five pools are made at once, follow their control plane to where the seed sends it, in the order that the planner says, and go. In the middle of it people change
 * their minds and machines break, as the seed says.
 *
 * Control plane and nodes never move without the planner, so the safe window is what keeps nodes from being above an API server.
 */
export async function fivePools(world: World, desk: Desk): Promise<void> {
  const story = new FivePools(world, desk)
  await story.begin()
  await story.goTo(parseVersion(destinations[world.random.below(destinations.length)] ?? ''))
  await story.comeToRest()
  await story.outliveTokens()
  await story.end()
}

class FivePools {
  readonly #world: World
  readonly #desk: Desk
  readonly #sizes = new Map(Object.entries(pools).map(([name, { replicas = 0 }]) => [name, replicas]))
  /** Every token that there ever was, with what a machine says that has it. */
  readonly #tokens = new Map<string, { readonly hash: string; readonly pool: string }>()
  /** What is done in the middle of an upgrade; once. */
  #deeds: readonly (readonly [pool: string, deed: Deed])[]

  constructor(world: World, desk: Desk) {
    this.#world = world
    this.#desk = desk
    const all = Object.entries(deeds)
    this.#deeds = Array.from({ length: 1 + world.random.below(3) }, () => {
      const [deed, act] = one(world, all)
      // Only there one machine that does not start is all that a rollout waits for.
      return [deed === 'neverBoots' ? 'careful' : one(world, names), act]
    })
  }

  async begin(): Promise<void> {
    const { client } = this.#world
    await client.create(ConfigMap, { metadata: { namespace: 'clusters', name: sharedConfig }, ...configWith('a') })
    for (const [name, spec] of Object.entries(pools)) await ask(this.#world, { name, metadata: failing(), spec })
    await this.#until('4.19.6')
  }

  async goTo(target: Version): Promise<void> {
    const cluster = this.#world.state.get(HostedCluster, { namespace: 'clusters', name: 'prod' }) ?? assert.fail('there is no cluster')
    const { moves, problems } = planControlPlaneMove({
      cluster,
      pools: this.#world.state.list(NodePool).map((pool) => ({ pool, wanted: plannedFor(pool, cluster) })),
      target,
      skew: { source: 'Auto', policy: 'parity' },
      releases: between,
      poolsFollow: 'all',
    })
    assert.deepEqual(problems, [])
    for (const move of moves) {
      if (move.of === 'control-plane') await this.#moveControlPlane(move.to)
      else
        await this.#moveNodes(
          move.groups.map((key) => key.replace(/^clusters\//, '')),
          move.to.text,
        )
    }
  }

  /** Somebody may be impatient: a pool that asks for a minor that the control plane has not got to waits for it. */
  async #moveControlPlane(to: Version): Promise<void> {
    const world = this.#world
    const before = parseVersion(poolIn(world, 'tight')?.status?.version ?? '')
    await controlPlaneLeavesFor(world, to.text)
    await sometime(world, 60)
    if (world.random.below(2) === 0 && normalisedMinor(to) > normalisedMinor(before)) await upgrade(world, to.text, one(world, names))
    await sometime(world, 180)
    await controlPlaneAt(world, to.text)
  }

  async #moveNodes(which: readonly string[], to: string): Promise<void> {
    const world = this.#world
    this.#noteTokens()
    const todo = this.#deeds.map(([pool, act]) => {
      const occasion: Occasion = { world, pool, from: poolIn(world, pool)?.status?.version ?? '', to, sizes: this.#sizes }
      return act(occasion)
    })
    this.#deeds = []
    for (const name of which) await upgrade(world, to, name)
    await Promise.all(todo)
    this.#noteTokens()
    await this.#until(to)
  }

  /** Nothing is left over, but for tokens that machines may still hold. */
  async comeToRest(): Promise<void> {
    const world = this.#world
    await world.settled({ within: '2h' })
    const wanted = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
    assert.deepEqual([machinesIn(world).length, nodesIn(world).length], [wanted, wanted], 'no machine is left over, and no node')
    const expires = (name: string): boolean =>
      world.state.get(Secret, { namespace: home, name })?.metadata.annotations?.[Annotation.tokenExpires] !== undefined
    assert.deepEqual(
      this.#unwantedSecrets().filter((name) => !expires(name)),
      [],
    )
    const used = new Set(world.state.list(capi.MachineSet).map(({ spec }) => spec.template?.spec?.infrastructureRef.name))
    assert.ok(world.state.list(KubevirtMachineTemplate).every(({ metadata }) => used.has(metadata.name)))
    const tokens = world.state.list(Secret, { namespace: home }).flatMap(({ data }) => data?.['token'] ?? [])
    assert.equal(new Set(tokens).size, tokens.length, 'no two have the same token')
  }

  /** Strangers try every token that there ever was, again and again. When two hours have passed only those are good that new machines start with. */
  async outliveTokens(): Promise<void> {
    const world = this.#world
    this.#noteTokens()
    let answers = await this.#tryTokens()
    for (let passed = 0; passed < 130; passed += 13) {
      await world.sleep('13m')
      answers = await this.#tryTokens()
    }
    assert.deepEqual(this.#unwantedSecrets(), [], 'what nobody wants any more has gone when its time had come')
    const good = new Set(world.state.list(Secret, { namespace: home }).flatMap((secret) => decoded(secret, 'token') ?? []))
    const wrong = [...answers].filter(([token, status]) => (status === 200) !== good.has(token))
    assert.deepEqual(wrong, [], 'tokens of the past are good for nothing, and those of today are good')
    assert.deepEqual(this.#desk.letInTooLate, [])
  }

  /** In the middle of something, perhaps. */
  async end(): Promise<void> {
    const world = this.#world
    if (world.random.below(2) === 0) await deeds.configure({ world, pool: 'careful', from: '', to: '', sizes: this.#sizes })
    await sometime(world, 120)
    for (const name of names) await world.client.delete(NodePool, poolRef(name))
    await world.until(() => world.state.count(NodePool) === 0, { within: '2h', every: '10s' })
    await world.settled({ within: '2h' })
    const kinds: readonly Resource[] = [
      capi.MachineDeployment,
      capi.MachineSet,
      capi.Machine,
      capi.MachineHealthCheck,
      KubevirtMachineTemplate,
    ]
    const left = kinds.flatMap((kind) => world.state.list(kind)).map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`)
    assert.deepEqual([left, nodesIn(world), secretsIn(world)], [[], [], []])
    assert.deepEqual(this.#desk.letInTooLate, [])
  }

  #until(version: string): Promise<void> {
    const world = this.#world
    const isDone = () =>
      [...this.#sizes].every(([name, size]) => isAt(world, version, name) && poolIn(world, name)?.status?.replicas === size)
    return world.until(isDone, { within: '3h', every: '5s' })
  }

  /** Neither those that new machines start with, nor user data of machines that have stayed since. */
  #unwantedSecrets(): readonly string[] {
    const world = this.#world
    const current = new Set(names.flatMap((name) => ['token', 'user-data'].map((sort) => `${sort}-${name}-${hashIn(world, name)}`)))
    const users = { machineSets: [], machines: machinesIn(world) }
    return secretsIn(world).filter((name) => !current.has(name) && !isUserDataNeeded(name, users))
  }

  #noteTokens(): void {
    for (const secret of this.#world.state.list(Secret, { namespace: home })) {
      const [, pool, hash] = /^token-(.*)-(\w+)$/.exec(secret.metadata.name ?? '') ?? []
      const token = decoded(secret, 'token')
      if (pool !== undefined && hash !== undefined && token !== undefined) this.#tokens.set(token, { hash, pool })
    }
  }

  /** How each was answered. */
  async #tryTokens(): Promise<ReadonlyMap<string, number>> {
    const never = new AbortController().signal
    const all = Array.from(this.#tokens, async ([token, { hash, pool }]): Promise<[string, number]> => {
      const { status } = await this.#desk.fetch(questionWith(token, hash, pool), never)
      return [token, status]
    })
    return new Map(await Promise.all(all))
  }
}

function one<T>({ random }: World, things: readonly T[]): T {
  return things[random.below(things.length)] ?? assert.fail('there is none')
}
