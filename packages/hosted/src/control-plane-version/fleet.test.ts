import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlPlaneComponent, HostedControlPlane, Namespace, toCrd } from '@windlass/api'
import { aControlPlaneComponent, aHostedControlPlane, aReleaseImage } from '@windlass/api/fixtures'
import { formatTime, longestHistory, type Random } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { forEachSeed, simulate, type World, type Write } from '@windlass/kube/simulation'
import { catalogueResolver, RegistryUnreachableError, type ReleaseResolver, sampleCatalogue } from '../releases/index.ts'
import { invariants } from '../testing/index.ts'
import { controlPlaneVersion } from './index.ts'

const catalogue = catalogueResolver(sampleCatalogue())
const definitions = [HostedControlPlane, ControlPlaneComponent].map(toCrd)
const versions = ['4.18.1', '4.18.2', '4.19.1', '4.19.2', '4.20.1', '4.20.2']
/** The same version, built anew: the catalogue has several images of each. */
const builds = ['x86_64', 'multi'] as const
const homes = Array.from({ length: 20 }, (_, index) => `clusters-${index}`)
const names = ['etcd', 'kube-apiserver', 'kube-scheduler', 'oauth-openshift', 'cluster-version-operator']
const steps = 150

/** Twenty control planes that another operator has just made. */
async function given(client: Client): Promise<void> {
  const { metadata: _, status: _status, ...controlPlane } = aHostedControlPlane({ release: versions[0] ?? '' })
  for (const namespace of homes) {
    await client.create(Namespace, { metadata: { name: namespace } })
    await client.create(HostedControlPlane, { ...controlPlane, metadata: { namespace, name: 'hosted' } })
    for (const name of names) await client.create(ControlPlaneComponent, { metadata: { namespace, name }, spec: {} })
  }
  await client.patchStatus(HostedControlPlane, { namespace: restless, name: 'hosted' }, { status: { controlPlaneVersion: longHistory() } })
}

/** One of them has tried so often that its history has no place for another, and completed nothing but the first. */
const [restless = ''] = homes

function longHistory() {
  const release = (version: string) => ({ version, image: aReleaseImage(version) })
  const startOf = (index: number): string => formatTime(Date.UTC(2025, 0, 1) - index * 60_000)
  const history = Array.from({ length: longestHistory }, (_, index) => ({
    ...release(versions[index % 2] ?? ''),
    state: index === longestHistory - 1 ? 'Completed' : 'Partial',
    startedTime: startOf(index),
    ...(index === 0 ? {} : { completionTime: startOf(index - 1) }),
  }))
  return { desired: release(versions[0] ?? ''), history, observedGeneration: 1 }
}

const controlPlaneIn = (world: World, namespace: string) => world.state.get(HostedControlPlane, { namespace, name: 'hosted' })

/** A registry that does not answer one time in ten. */
function shaky(random: Random): ReleaseResolver {
  return {
    resolve: (pullspec, options) =>
      random.below(10) === 0 ? Promise.reject(new RegistryUnreachableError(pullspec, 'it is down')) : catalogue.resolve(pullspec, options),
  }
}

/** The version that the other operator rolls out, from the image that was asked for. */
function wantedIn(world: World, namespace: string): string {
  const image = controlPlaneIn(world, namespace)?.spec.releaseImage ?? ''
  return versions.find((version) => image.includes(`:${version}-`)) ?? ''
}

/** What the other operator says about a component. Sometimes it is not there yet: the rollout goes on, or it has not seen the last change. */
async function report(world: World, namespace: string, name: string, state: 'done' | 'rolling' | 'stale'): Promise<void> {
  const { generation = 1 } = controlPlaneIn(world, namespace)?.metadata ?? {}
  const { status } = aControlPlaneComponent({ version: wantedIn(world, namespace) })
  const conditions = (status?.conditions ?? []).map((each) =>
    each.type === 'RolloutComplete' && state === 'rolling' ? { ...each, status: 'False' as const, reason: 'WaitingForRollout' } : each,
  )
  const observedGeneration = state === 'stale' ? Math.max(1, generation - 1) : generation
  await world.client.patchStatus(ControlPlaneComponent, { namespace, name }, { status: { ...status, conditions, observedGeneration } })
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)] ?? assert.fail('nothing to choose from')
}

/** One thing that happens to somebody in the fleet. */
async function happen(world: World): Promise<void> {
  const { random } = world
  const namespace = pick(random, homes)
  const chance = random.next()
  if (chance < 0.15) {
    const image = aReleaseImage(pick(random, versions)).replace(builds[0], pick(random, builds))
    await world.client.patch(HostedControlPlane, { namespace, name: 'hosted' }, { spec: { releaseImage: image } })
  } else if (chance < 0.2) {
    const name = pick(random, names)
    await world.client.delete(ControlPlaneComponent, { namespace, name })
    await world.sleep(random.below(10_000))
    await world.client.create(ControlPlaneComponent, { metadata: { namespace, name }, spec: {} })
  } else if (chance < 0.35) {
    for (const name of names) await report(world, namespace, name, 'done')
  } else {
    await report(world, namespace, pick(random, names), pick(random, ['done', 'done', 'rolling', 'stale'] as const))
  }
  await world.sleep(random.below(20_000))
}

const historyOf = (world: World, namespace: string) => controlPlaneIn(world, namespace)?.status?.controlPlaneVersion?.history ?? []
const isAtRest = (world: World, namespace: string): boolean => {
  const [newest] = historyOf(world, namespace)
  return newest?.state === 'Completed' && newest.version === wantedIn(world, namespace)
}

describe('histories of a fleet', () => {
  it('are right for all seeds, whatever is asked for, breaks or gets lost', async () => {
    await forEachSeed({ count: 4 }, async (seed) => {
      let restsSince = 0
      const { writes } = await simulate({
        seed,
        definitions,
        given,
        controllers: ({ random }) => [controlPlaneVersion(shaky(random))],
        processes: 2,
        faults: 'all',
        calmAfter: '20m',
        invariants,
        async world(world) {
          for (const version of versions.slice(2, 4)) {
            const image = aReleaseImage(version)
            await world.client.patch(HostedControlPlane, { namespace: restless, name: 'hosted' }, { spec: { releaseImage: image } })
            await world.until(() => historyOf(world, restless)[0]?.version === version, { within: '30m' })
          }
          assert.equal(historyOf(world, restless).at(-1)?.state, 'Completed', 'it says from where the updates above it set out')
          for (let step = 0; step < steps; step++) await happen(world)
          for (const namespace of homes) for (const name of names) await report(world, namespace, name, 'done')
          await world.until(() => homes.every((namespace) => isAtRest(world, namespace)), { within: '1h' })
          for (const namespace of homes) {
            const open = historyOf(world, namespace).filter(({ completionTime }) => completionTime === undefined || completionTime === null)
            assert.deepEqual(open, [], 'what is over has ended')
          }
          await world.settled({ within: '1h' })
          restsSince = world.clock.now()
          // Whoever takes over knows nothing, and goes over all of them.
          for (const process of world.processes.values()) process.crash()
          await world.sleep('1h')
        },
      })
      // Events expire, which is the server's own doing.
      const isRoutine = ({ key, actor }: Write): boolean => (actor.process === 'server' ? /leases|events/ : /leases/).test(key)
      const late = writes.filter((write) => write.at > restsSince && !isRoutine(write))
      assert.deepEqual(late.map(String), [], 'nothing changes, nothing is written')
    })
  })
})
