import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import {
  aNewPool,
  deploymentIn,
  hashIn,
  messageOf,
  minute,
  pass,
  poolIn,
  said,
  secretsIn,
  setRelease,
  setSpec,
  settle,
  settled,
  updating,
  versionsIn,
} from './testing/index.ts'
import { Annotation } from './wire.ts'

type Management = NodePool['spec']['management']
const rolling = (maxSurge: number | string, maxUnavailable: number | string): Management => ({
  upgradeType: 'Replace',
  replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
})

describe('the size of a pool', () => {
  it('NP-57 is followed, and rolls nothing out', () => {
    const { world, provider, now } = settled()
    const hash = hashIn(world)
    for (const replicas of [5, 2]) {
      setSpec(world, { replicas })
      settle(world, provider, now)
      assert.deepEqual(
        [deploymentIn(world).spec.replicas, poolIn(world).status?.replicas, world.list(capi.Machine).length],
        [replicas, replicas, replicas],
      )
    }
    assert.deepEqual([poolIn(world).status?.version, hashIn(world)], ['4.19.6', hash])
  })

  it('NP-58 belongs to the autoscaler between its bounds', () => {
    const { world, now } = settled()
    const { replicas: _, ...spec } = poolIn(world).spec
    const put = (change: Partial<NodePool['spec']>) => world.put({ ...poolIn(world), spec: { ...spec, ...change } } as NodePool)
    const bounds = () => {
      const { replicas } = deploymentIn(world).spec
      const { annotations = {} } = deploymentIn(world).metadata
      return [replicas, annotations[Annotation.autoscalerMin], annotations[Annotation.autoscalerMax]]
    }
    put({ autoScaling: { min: 2, max: 6 } })
    pass(world, now)
    assert.deepEqual(bounds(), [3, '2', '6'])
    assert.equal(messageOf(poolIn(world), 'AutoscalingEnabled'), 'Maximum nodes: 6, Minimum nodes: 2')
    put({ autoScaling: { min: 4, max: 6 } })
    pass(world, now)
    assert.deepEqual(bounds(), [4, '4', '6'])
    put({ autoScaling: { min: 1, max: 2 } })
    pass(world, now)
    assert.deepEqual(bounds(), [2, '1', '2'])
    put({ replicas: 4 })
    pass(world, now)
    assert.deepEqual(bounds(), [4, '0', '0'])
  })
})

describe('a pool that is paused', () => {
  it('NP-62 stops half way, and goes on where it was', () => {
    const { world, provider, now } = settled(aNewPool({ spec: { management: { ...rolling(1, 0), autoRepair: true } } }))
    setRelease(world, '4.20.1')
    let time = now
    for (let step = 0; step < 4; step++) {
      pass(world, (time += minute))
      provider.step(time)
    }
    setSpec(world, { pausedUntil: 'true' })
    pass(world, time)
    const versions = versionsIn(world)
    assert.ok(versions.includes('4.20.1') && versions.includes('4.19.6'))
    for (let step = 0; step < 10; step++) {
      pass(world, (time += minute))
      provider.step(time)
    }
    const paused = (object: { readonly metadata: NodePool['metadata'] }) => object.metadata.annotations?.['cluster.x-k8s.io/paused']
    assert.deepEqual([paused(deploymentIn(world)), ...world.list(capi.MachineHealthCheck).map(paused)], ['true', 'true'])
    assert.equal(said(poolIn(world), 'ReconciliationActive'), 'False/ReconciliationPaused')
    assert.deepEqual(versionsIn(world), versions)
    setSpec(world, { pausedUntil: 'false' })
    settle(world, provider, time)
    assert.deepEqual(versionsIn(world), ['4.20.1', '4.20.1', '4.20.1'])
    assert.deepEqual([paused(deploymentIn(world)), ...world.list(capi.MachineHealthCheck).map(paused)], [undefined, undefined])
  })

  it('NP-63 is judged and not changed', () => {
    const { world, now } = settled()
    setSpec(world, { pausedUntil: 'true' })
    setRelease(world, '4.20.1')
    const before = secretsIn(world)
    const { error, waitingFor } = pass(world, now)
    assert.deepEqual([error, waitingFor], [undefined, 'the pause of NodePool clusters/workers to end'])
    assert.equal(updating(world)[0], 'True')
    assert.deepEqual(secretsIn(world), before)
  })

  it('comes back by itself when its time is over', () => {
    const { world, now } = settled()
    setSpec(world, { pausedUntil: new Date(now + 90 * minute).toISOString() })
    assert.equal(pass(world, now).requeueAfter, 90 * minute)
    setSpec(world, { pausedUntil: 'tomorrow' })
    pass(world, now)
    assert.equal(said(poolIn(world), 'ReconciliationActive'), 'True/InvalidPausedUntilValue')
  })
})
