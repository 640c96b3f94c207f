import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterVersion,
  ConfigMap,
  ControlPlaneComponent,
  Deployment,
  HostedCluster,
  HostedControlPlane,
  LogicalCluster,
  Namespace,
  Secret,
} from '@windlass/api'
import type { Resource } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import { forEachSeed, operator, simulate, type Simulation, type World, type Write } from '@windlass/kube/simulation'
import { Annotation } from './hosted-cluster/wire.ts'
import { fleet, invariants, Story } from './testing/index.ts'

const {
  ask,
  change,
  clusterIn,
  controllers,
  controlPlaneIn,
  definitions,
  given,
  guestHistoryOf,
  historyOf,
  home,
  refOf,
  surroundings,
  upgrade,
} = fleet

const run = (world: Simulation['world'], options: Partial<Simulation> = {}) =>
  simulate({
    seed: 1,
    definitions,
    given,
    controllers,
    programs: { cluster: operator({ controllers: surroundings }) },
    limit: '48h',
    invariants,
    ...options,
    world: async (scene) => {
      try {
        await world(scene)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${fleet.describe(scene)}`, { cause: error })
      }
    },
  })

const isAt = (world: World, version: string, name?: string): boolean =>
  historyOf(world, name)[0] === `Completed ${version}` && guestHistoryOf(world, name)[0] === `Completed ${version}`

async function installed(world: World, wish: Parameters<typeof ask>[1] = {}): Promise<void> {
  await ask(world.client, wish)
  await world.until(() => isAt(world, wish.release ?? '4.19.6', wish.name), { within: '1h' })
  await world.settled({ within: '1h' })
}

const condition = (world: World, type: string): string => {
  const found = findCondition(clusterIn(world)?.status?.conditions, type)
  return `${found?.status ?? ''} ${found?.reason ?? ''}`
}

/** Everything but what was there before, and what the server itself keeps. */
const leftOf = (world: World): readonly string[] => [
  ...([HostedCluster, HostedControlPlane, ControlPlaneComponent, Deployment, LogicalCluster] as readonly Resource[]).flatMap((kind) =>
    world.state.list(kind).map(({ metadata }) => `${kind.kind} ${metadata.name ?? ''}`),
  ),
  ...world.state.list(Namespace).flatMap(({ metadata: { name = '' } }) => (name.startsWith('clusters-') ? [`Namespace ${name}`] : [])),
  ...world.state
    .list(Secret)
    .flatMap(({ metadata: { name = '', namespace, annotations = {} } }) =>
      (namespace === 'clusters' && !['prod-pull-secret', 'prod-ssh-key'].includes(name)) ||
      Object.keys(annotations).some((key) => key.startsWith('referenced-resource'))
        ? [`Secret ${name}`]
        : [],
    ),
]

const firstDeployment = (writes: readonly Write[], name: string): number =>
  writes.findIndex((write) => write.isOf(Deployment) && write.name === name)

describe('a hosted cluster', () => {
  it('gets a namespace, Secrets, a control plane, every component in the order of dependencies, and people get a kubeconfig that works', async () => {
    const { writes } = await run(async (world) => {
      await installed(world)
      assert.equal(condition(world, 'Available'), 'True AsExpected')
      assert.equal(condition(world, 'ReconciliationSucceeded'), 'True ReconciliatonSucceeded')
      assert.equal(clusterIn(world)?.metadata.annotations?.[Annotation.hasBeenAvailable], 'true')
      assert.deepEqual(clusterIn(world)?.status?.controlPlaneEndpoint, { host: 'kube-apiserver.clusters-prod.example.com', port: 6443 })
      assert.equal(clusterIn(world)?.status?.ignitionEndpoint, 'ignition-server-clusters-prod.apps.mgmt.example.com')
      const { kubeconfig, kubeadminPassword } = clusterIn(world)?.status ?? {}
      const secret = world.state.get(Secret, { namespace: 'clusters', name: kubeconfig?.name ?? '' })
      const text = Buffer.from(secret?.data?.['kubeconfig'] ?? '', 'base64').toString()
      assert.match(text, /server: .*\/clusters\/clusters-prod/)
      assert.ok(world.state.get(Secret, { namespace: 'clusters', name: kubeadminPassword?.name ?? '' })?.data?.['password'] !== undefined)
      assert.equal((await world.clientOf(home()).get(ClusterVersion, { name: 'version' })).status?.desired.version, '4.19.6')
      assert.ok(world.state.list(ControlPlaneComponent).length > 35)
    })
    const order = ['etcd', 'kube-apiserver', 'openshift-apiserver', 'oauth-openshift']
    const rolledOut = (name: string) =>
      writes.findIndex((write) => write.name === name && write.as(ControlPlaneComponent)?.status?.version === '4.19.6')
    for (const [index, name] of order.entries()) {
      const next = order[index + 1]
      if (next === undefined || name === 'etcd') continue
      assert.ok(rolledOut(name) < firstDeployment(writes, next), `${next} is made when ${name} has rolled out`)
    }
    assert.ok(rolledOut('etcd') < firstDeployment(writes, 'kube-apiserver'))
    assert.ok(rolledOut('featuregate-generator') < firstDeployment(writes, 'kube-apiserver'))
  })

  it('is upgraded: within a stream, to the next one, and on the management side alone', async () => {
    await run(async (world) => {
      await installed(world)
      await upgrade(world, '4.19.7')
      await world.until(() => isAt(world, '4.19.7'), { within: '1h' })
      await upgrade(world, '4.20.1')
      await world.until(() => isAt(world, '4.20.1'), { within: '1h' })
      const guest = guestHistoryOf(world)
      await change(world, { spec: { controlPlaneRelease: { image: aReleaseImage('4.20.2') } } })
      await world.until(() => historyOf(world)[0] === 'Completed 4.20.2', { within: '1h' })
      await world.settled({ within: '1h' })
      assert.deepEqual(guestHistoryOf(world), guest)
      assert.deepEqual(
        historyOf(world),
        ['4.20.2', '4.20.1', '4.19.7', '4.19.6'].map((version) => `Completed ${version}`),
      )
      assert.ok(world.state.list(ControlPlaneComponent).every(({ status }) => status?.version === '4.20.2'))
    })
  })

  it('V41 keeps the history of updates that were overtaken', async () => {
    await run(async (world) => {
      await installed(world)
      await upgrade(world, '4.19.10')
      await world.until(() => historyOf(world)[0] === 'Partial 4.19.10', { within: '5m' })
      await upgrade(world, '4.20.1')
      await world.until(() => isAt(world, '4.20.1'), { within: '1h' })
      assert.deepEqual(historyOf(world), ['Completed 4.20.1', 'Partial 4.19.10', 'Completed 4.19.6'])
    })
  })

  it('L24 stands still while it is paused, and goes on afterwards', async () => {
    await run(async (world) => {
      await installed(world)
      await change(world, { spec: { pausedUntil: 'true' } })
      await world.until(() => controlPlaneIn(world)?.spec.pausedUntil === 'true', { within: '5m' })
      await upgrade(world, '4.19.7')
      await world.sleep('1h')
      assert.deepEqual(historyOf(world), ['Completed 4.19.6'])
      assert.equal(condition(world, 'ReconciliationActive'), 'False ReconciliationPaused')
      await change(world, { spec: { pausedUntil: null } })
      await world.until(() => isAt(world, '4.19.7'), { within: '1h' })
    })
  })

  it('L13 refuses an upgrade that the guest objects to, says why, and lets it through when it is forced', async () => {
    await run(async (world) => {
      await installed(world)
      const guest = world.clientOf(home())
      const version = await guest.get(ClusterVersion, { name: 'version' })
      const objection = {
        type: 'Upgradeable',
        status: 'False',
        reason: 'AdminAckRequired',
        message: 'read the notes',
        lastTransitionTime: '2026-01-01T01:00:00Z',
      }
      await guest.updateStatus(ClusterVersion, {
        ...version,
        status: { ...version.status, conditions: [...(version.status?.conditions ?? []), objection] } as never,
      })
      await world.until(() => condition(world, 'ClusterVersionUpgradeable') === 'False AdminAckRequired', { within: '5m' })
      await upgrade(world, '4.20.1')
      await world.until(() => condition(world, 'Progressing') === 'False Blocked', { within: '5m' })
      await world.sleep('30m')
      assert.match(
        findCondition(clusterIn(world)?.status?.conditions, 'Progressing')?.message ?? '',
        /ClusterVersionUpgradeable condition is false/,
      )
      assert.deepEqual(historyOf(world), ['Completed 4.19.6'])
      await change(world, { metadata: { annotations: { [Annotation.forceUpgradeTo]: aReleaseImage('4.20.1') } } })
      await world.until(() => historyOf(world)[0] === 'Completed 4.20.1', { within: '1h' })
    })
  })

  it('L19 refuses to go back to an earlier stream', async () => {
    await run(async (world) => {
      await installed(world)
      await upgrade(world, '4.18.1')
      await world.until(() => condition(world, 'ValidReleaseImage') === 'False InvalidImage', { within: '5m' })
      await world.sleep('10m')
      assert.deepEqual(historyOf(world), ['Completed 4.19.6'])
      assert.equal(controlPlaneIn(world)?.spec.releaseImage, aReleaseImage('4.19.6'))
    })
  })

  it('waits for a pull secret that is missing, and takes it as soon as it is there', async () => {
    await run(async (world) => {
      const data = (await world.client.get(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })).data ?? {}
      await world.client.delete(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })
      await ask(world.client)
      await world.until(() => condition(world, 'ValidReleaseImage') === 'False SecretNotFound', { within: '5m' })
      await world.until(() => condition(world, 'ReconciliationSucceeded') === 'False ReconciliationError', { within: '5m' })
      assert.ok(controlPlaneIn(world) !== undefined, 'the control plane is asked for all the same')
      await world.sleep('1h')
      await world.client.create(Secret, { metadata: { namespace: 'clusters', name: 'prod-pull-secret' }, type: 'Opaque', data })
      await world.until(() => condition(world, 'ReconciliationSucceeded') === 'True ReconciliatonSucceeded', { within: '1m' })
    })
  })

  it('goes, with everything that was made for it', async () => {
    await run(async (world) => {
      await installed(world)
      await world.client.delete(HostedCluster, refOf())
      await world.until(() => clusterIn(world) === undefined, { within: '10m' })
      await world.settled({ within: '10m' })
      assert.deepEqual(leftOf(world), [])
    })
  })

  it('L29 stays for its grace period when everything else is gone', async () => {
    await run(async (world) => {
      await installed(world, { annotations: { [Annotation.destroyGracePeriod]: '10m' } })
      await world.client.delete(HostedCluster, refOf())
      await world.until(() => condition(world, 'HostedClusterDestroyed') === 'True WaitingForGracePeriod', { within: '10m' })
      const since = world.clock.now()
      assert.deepEqual(
        leftOf(world).filter((left) => !left.startsWith('Secret')),
        ['HostedCluster prod'],
      )
      await world.until(() => clusterIn(world) === undefined, { within: '11m' })
      assert.ok(world.clock.now() - since >= 590_000)
      await world.settled({ within: '10m' })
      assert.deepEqual(leftOf(world), [])
    })
  })

  it('W9 writes nothing for a day while nothing changes', async () => {
    let settledAt = 0
    const { writes } = await run(async (world) => {
      await world.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'life' } })
      await installed(world)
      settledAt = world.clock.now()
      // Elsewhere life goes on: in a world where nothing is written at all, watches hear nothing and are begun anew all the time.
      for (let minute = 0; minute < 24 * 60; minute++) {
        await world.sleep('1m')
        await world.client.patch(ConfigMap, { namespace: 'default', name: 'life' }, { data: { minute: `${minute}` } })
      }
    })
    assert.deepEqual(
      writes.filter(({ at, key }) => at > settledAt && !/leases|events|\/life$/.test(key)).map(({ verb, key }) => `${verb} ${key}`),
      [],
    )
  })

  it('comes to what people want of it, whatever they do and whatever goes wrong, and rests then', async () => {
    await forEachSeed({ count: 2 }, async (seed) => {
      let restsSince = 0
      const { writes } = await run(
        async (world) => {
          const story = new Story(world, ['prod', 'dev'])
          try {
            await story.tell(4)
            await story.mend()
            await story.cameTrue('4h')
            await world.calm()
            await world.settled({ within: '1h' })
            restsSince = world.clock.now()
            // Whoever takes over knows nothing, and goes over everything.
            for (const name of ['operator-1', 'operator-2']) world.processes.get(name)?.crash()
            await world.sleep('20m')
            await story.end()
            await story.cameTrue('2h')
            await world.settled({ within: '1h' })
            assert.deepEqual(leftOf(world), [])
          } catch (error) {
            throw new Error([error instanceof Error ? error.message : String(error), ...story.told].join('\n'), { cause: error })
          }
        },
        { seed, processes: 2, faults: 'all', calmAfter: '25m' },
      )
      // Events expire, which is the server's own doing.
      const isRoutine = ({ key, actor }: Write): boolean => (actor.process === 'server' ? /leases|events/ : /leases/).test(key)
      const late = writes.filter((write) => write.at > restsSince && write.at < restsSince + 20 * 60_000 && !isRoutine(write))
      assert.deepEqual(late.map(String), [], 'nothing changes, nothing is written')
    })
  })
})
