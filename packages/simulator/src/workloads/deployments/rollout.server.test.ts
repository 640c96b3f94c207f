import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, Namespace, Pod, ReplicaSet } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { type Log, silentLog } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { failureAnnotation } from '../../failures/index.ts'
import { imagesOf } from '../pods/index.ts'
import {
  aWorld,
  deploymentDraft,
  imageOf,
  isRolledOut,
  namespace,
  neverDoneTooSoon,
  neverTooFew,
  neverTooMany,
  neverTwoTemplates,
  toImage,
} from '../testing/index.ts'

const ref = { namespace, name: 'web' }
const web = ({ state }: World): Deployment | undefined => state.get(Deployment, ref)
const untilUp = (world: World): Promise<void> => world.until(() => isRolledOut(web(world)), { within: '10m' })
const reason = (world: World, type: string): string | undefined => findCondition(web(world)?.status?.conditions, type)?.reason
const sizes = ({ state }: World): readonly number[] =>
  state
    .list(ReplicaSet)
    .map(({ spec }) => spec.replicas ?? 1)
    .toSorted((a, b) => a - b)
const update = ({ client }: World, version: string) => client.patch(Deployment, ref, toImage('web', imageOf(version)))
const roll = (maxSurge: number | string, maxUnavailable: number | string): Partial<Deployment['spec']> => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
})
const always = () => [neverTooFew(), neverTooMany, neverDoneTooSoon]

describe('on an API server, a Deployment', () => {
  const strategies: readonly [string, number, Partial<Deployment['spec']>][] = [
    ['one missing at a time', 3, roll(0, 1)],
    ['one extra at a time', 2, roll(1, 0)],
    ['both, in percent', 5, roll('25%', '25%')],
    ['all at once', 4, roll('100%', '100%')],
    ['a single Pod', 1, roll('25%', '25%')],
    ['Pods that must prove themselves first', 2, { ...roll(1, 0), minReadySeconds: 20 }],
  ]
  for (const [name, replicas, spec] of strategies) {
    it(`rolls out another image within its bounds: ${name}`, async () => {
      await simulate(
        aWorld(
          1,
          async (world) => {
            await world.client.create(Deployment, deploymentDraft('web', { replicas, ...spec }))
            await untilUp(world)
            await update(world, '2')
            await untilUp(world)
            assert.deepEqual(
              [reason(world, 'Available'), reason(world, 'Progressing')],
              ['MinimumReplicasAvailable', 'NewReplicaSetAvailable'],
            )
            await world.settled({ within: '10m' })
            assert.deepEqual(new Set(world.state.list(Pod).flatMap(imagesOf)), new Set([imageOf('2')]))
            assert.deepEqual(sizes(world), [0, replicas])
          },
          { invariants: always() },
        ),
      )
    })
  }

  it('that may not run two templates at a time waits until the last old Pod is gone', async () => {
    await simulate(
      aWorld(
        2,
        async (world) => {
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 3, strategy: { type: 'Recreate' } }))
          await untilUp(world)
          await update(world, '2')
          await untilUp(world)
        },
        { invariants: [neverTooMany, neverDoneTooSoon, neverTwoTemplates] },
      ),
    )
  })

  it('goes back in the middle of a rollout, to the ReplicaSet that it had', async () => {
    await simulate(
      aWorld(
        3,
        async (world) => {
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 4, ...roll(1, 1) }))
          await untilUp(world)
          await update(world, '2')
          await world.until(() => (web(world)?.status?.updatedReplicas ?? 4) === 2, { within: '5m', every: 10 })
          await update(world, '1')
          await untilUp(world)
          assert.deepEqual(sizes(world), [0, 4])
        },
        { invariants: always() },
      ),
    )
  })

  it('is scaled in the middle of a rollout, keeps its share of the old, and ends with the new', async () => {
    await simulate(
      aWorld(4, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 10, ...roll(3, 2) }))
        await untilUp(world)
        await world.client.patch(Deployment, ref, {
          spec: { template: { metadata: { annotations: { [failureAnnotation]: 'never-ready' } } } },
        })
        await world.settled({ within: '10m', quietFor: '1m' })
        assert.deepEqual(sizes(world), [5, 8])
        await world.client.patch(Deployment, ref, { spec: { replicas: 15 } })
        await world.settled({ within: '10m', quietFor: '1m' })
        assert.deepEqual(sizes(world), [7, 11])
        await world.client.patch(Deployment, ref, { spec: { template: { metadata: { annotations: { [failureAnnotation]: null } } } } })
        await untilUp(world)
        assert.equal(world.state.list(Pod).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length, 15)
      }),
    )
  })

  it('that is scaled to nothing is through with that, and comes back', async () => {
    await simulate(
      aWorld(11, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 3 }))
        await untilUp(world)
        for (const replicas of [0, 2]) {
          await world.client.patch(Deployment, ref, { spec: { replicas } })
          await untilUp(world)
          assert.equal(reason(world, 'Available'), 'MinimumReplicasAvailable')
        }
        await world.settled({ within: '10m' })
        assert.equal(world.state.count(Pod), 2)
      }),
    )
  })

  it('that is made with no replicas, or made again, is through with that', async () => {
    await simulate(
      aWorld(12, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 0 }))
        await untilUp(world)
        await world.client.patch(Deployment, ref, { spec: { replicas: 2 } })
        await untilUp(world)
        await world.client.delete(Deployment, ref, { propagation: 'Background' })
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
        await world.sleep('1s')
        await untilUp(world)
        await world.settled({ within: '10m' })
        assert.equal(world.state.count(Pod), 2)
      }),
    )
  })

  it('that is paused rolls nothing out until it goes on', async () => {
    await simulate(
      aWorld(5, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 2, ...roll(1, 0) }))
        await untilUp(world)
        await world.client.patch(Deployment, ref, { spec: { paused: true, ...toImage('web', imageOf('2')).spec } })
        await world.settled({ within: '10m' })
        assert.equal(world.state.list(ReplicaSet).length, 1)
        assert.equal(reason(world, 'Progressing'), 'DeploymentPaused')
        await world.client.patch(Deployment, ref, { spec: { paused: false } })
        await untilUp(world)
        assert.equal(reason(world, 'Progressing'), 'NewReplicaSetAvailable')
      }),
    )
  })

  it('that does not progress says so after its deadline, and recovers', async () => {
    await simulate(
      aWorld(
        6,
        async (world) => {
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 3, progressDeadlineSeconds: 120, ...roll(1, 0) }))
          await untilUp(world)
          await world.client.patch(Deployment, ref, {
            spec: {
              template: { metadata: { annotations: { [failureAnnotation]: 'image-pull' } }, ...toImage('web', imageOf('2')).spec.template },
            },
          })
          await world.sleep('100s')
          assert.equal(reason(world, 'Progressing'), 'ReplicaSetUpdated')
          await world.sleep('60s')
          assert.equal(reason(world, 'Progressing'), 'ProgressDeadlineExceeded')
          assert.equal(reason(world, 'Available'), 'MinimumReplicasAvailable')
          await world.client.patch(Deployment, ref, { spec: { template: { metadata: { annotations: { [failureAnnotation]: null } } } } })
          await untilUp(world)
          assert.equal(reason(world, 'Progressing'), 'NewReplicaSetAvailable')
        },
        { invariants: always() },
      ),
    )
  })

  it('keeps no more former ReplicaSets than it should', async () => {
    await simulate(
      aWorld(7, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 1, revisionHistoryLimit: 2 }))
        await untilUp(world)
        for (const version of ['2', '3', '4', '5']) {
          await update(world, version)
          await world.sleep('1s')
          await untilUp(world)
        }
        await world.settled({ within: '10m' })
        const revisions = world.state.list(ReplicaSet).map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'])
        assert.deepEqual(new Set(revisions), new Set(['3', '4', '5']))
      }),
    )
  })

  it('goes on where it was when the simulator is killed at any moment', async () => {
    for (const moment of [5, 20, 900, 2_500, 6_020, 12_000]) {
      await simulate(
        aWorld(
          8,
          async (world) => {
            await world.client.create(Deployment, deploymentDraft('web', { replicas: 3, ...roll(1, 1) }))
            await untilUp(world)
            await update(world, '2')
            await world.sleep(moment)
            world.processes.get('operator-1')?.crash()
            await untilUp(world)
            await world.settled({ within: '10m' })
            assert.deepEqual(sizes(world), [0, 3])
          },
          { invariants: always() },
        ),
      )
    }
  })

  it('goes with its namespace, and nobody complains', async () => {
    const complaints: string[] = []
    const log: Log = { ...silentLog, error: (_fields, message) => void complaints.push(message), child: () => log }
    await simulate(
      aWorld(
        10,
        async (world) => {
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 3 }))
          await world.sleep('5s')
          await world.client.delete(Namespace, { name: namespace })
          const isGone = (): boolean => world.state.count(Pod) + world.state.count(ReplicaSet) + world.state.count(Deployment) === 0
          await world.until(() => isGone() && world.state.get(Namespace, { name: namespace }) === undefined, { within: '5m' })
        },
        { log },
      ),
    )
    assert.deepEqual(complaints, [])
  })

  it('goes with everything that belongs to it', async () => {
    await simulate(
      aWorld(9, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
        await untilUp(world)
        await world.client.delete(Deployment, ref, { propagation: 'Background' })
        await world.until(() => world.state.count(Pod) === 0 && world.state.count(ReplicaSet) === 0, { within: '2m' })
      }),
    )
  })
})
