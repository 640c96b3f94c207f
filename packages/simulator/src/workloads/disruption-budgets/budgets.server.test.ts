import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Job, Pod, PodDisruptionBudget, StatefulSet } from '@windlass/api'
import { aJob, aPodDisruptionBudget } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import { simulate, type World } from '@windlass/kube/simulation'
import { aWorld, draftOf, imageOf, isRolledOut, namespace, statefulSetDraft, templateOf } from '../testing/index.ts'

const budget = ({ state }: World, name: string) => state.get(PodDisruptionBudget, { namespace, name })?.status
const create = ({ client }: World, name: string, spec: Partial<PodDisruptionBudget['spec']>) => {
  const { maxUnavailable: _, ...base } = aPodDisruptionBudget().spec
  const draft = draftOf(aPodDisruptionBudget({ name, namespace }))
  return client.create(PodDisruptionBudget, { ...draft, spec: { ...base, selector: { matchLabels: { app: name } }, ...spec } })
}

describe('on an API server, a PodDisruptionBudget', () => {
  it('follows the number of replicas that are wanted, and what is in service', async () => {
    await simulate(
      aWorld(1, async (world) => {
        await create(world, 'etcd', { maxUnavailable: 1 })
        await world.client.create(StatefulSet, statefulSetDraft('etcd', { podManagementPolicy: 'Parallel' }))
        await world.sleep('1s')
        assert.deepEqual([budget(world, 'etcd')?.expectedPods, budget(world, 'etcd')?.disruptionsAllowed], [3, 0])
        await world.until(() => budget(world, 'etcd')?.disruptionsAllowed === 1, { within: '5m' })
        await world.client.patch(StatefulSet, { namespace, name: 'etcd' }, { spec: { replicas: 5 } })
        await world.sleep('1s')
        assert.deepEqual(
          [budget(world, 'etcd')?.expectedPods, budget(world, 'etcd')?.desiredHealthy, budget(world, 'etcd')?.disruptionsAllowed],
          [5, 4, 0],
        )
        await world.until(() => isRolledOut(world.state.get(StatefulSet, { namespace, name: 'etcd' })), { within: '5m' })
        await world.settled({ within: '5m' })
        assert.equal(budget(world, 'etcd')?.disruptionsAllowed, 1)
      }),
    )
  })

  it('says so when nobody can tell how many Pods there should be', async () => {
    await simulate(
      aWorld(2, async (world) => {
        await create(world, 'work', { minAvailable: '50%' })
        const template = templateOf('work', imageOf('1'))
        const spec = { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } as const
        await world.client.create(Job, draftOf(aJob({ name: 'work', namespace, spec })))
        await world.sleep('1s')
        const condition = findCondition(budget(world, 'work')?.conditions, 'DisruptionAllowed')
        assert.deepEqual([condition?.status, condition?.reason], ['False', 'SyncFailed'])
        assert.match(condition?.message ?? '', /^Job work has no number of replicas/)
      }),
    )
  })

  it('counts Pods that nobody looks after where a number of them must stay', async () => {
    await simulate(
      aWorld(3, async (world) => {
        await create(world, 'bare', { minAvailable: 1 })
        for (const name of ['bare-1', 'bare-2'])
          await world.client.create(Pod, {
            metadata: { namespace, name, labels: { app: 'bare' } },
            spec: templateOf('bare', imageOf('1')).spec,
          })
        await world.until(() => budget(world, 'bare')?.disruptionsAllowed === 1, { within: '5m' })
        assert.deepEqual([budget(world, 'bare')?.expectedPods, budget(world, 'bare')?.observedGeneration], [2, 1])
      }),
    )
  })
})
