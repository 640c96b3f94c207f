import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { aCapiMachine, aHostedCluster, aNode } from '@windlass/api/fixtures'
import type { PatchAction } from '@windlass/kube'
import type { World } from '../../hosted-cluster/testing/index.ts'
import { aNewPool, aWorld, messageOf, noon, pass, poolIn, Provider, said, seenIn, settle, setRelease, setSpec } from '../testing/index.ts'
import { Annotation, Label } from '../wire.ts'
import { decideNode, healthCheckOutcome } from './index.ts'

const repairing: NodePool['spec']['management'] = {
  upgradeType: 'Replace',
  autoRepair: true,
  replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
}
const checkIn = (world: World, name = 'workers') => world.find(capi.MachineHealthCheck, { namespace: 'clusters-prod', name })

function settled(pool: NodePool = aNewPool({ spec: { management: repairing } })): { world: World; provider: Provider; now: number } {
  const world = aWorld(pool, aHostedCluster({ release: '4.20.1' }))
  const provider = new Provider(world)
  return { world, provider, now: settle(world, provider) }
}

describe('repair', () => {
  it('NP-59 replaces machines whose node is not ready for eight minutes, two at most', () => {
    const { world } = settled()
    const { spec } = checkIn(world) ?? assert.fail()
    assert.deepEqual(spec, {
      clusterName: 'prod-7k2xq',
      selector: { matchLabels: { 'prod-7k2xq-prod-workers': 'prod-7k2xq-prod-workers' } },
      unhealthyConditions: [
        { type: 'Ready', status: 'False', timeout: '8m0s' },
        { type: 'Ready', status: 'Unknown', timeout: '8m0s' },
      ],
      maxUnhealthy: 2,
      nodeStartupTimeout: '20m0s',
    })
    assert.equal(said(poolIn(world), 'AutorepairEnabled'), 'True/AsExpected')
  })

  it('NP-60 is refused when too much is broken, which is what the pool says then', () => {
    const { world, now } = settled()
    const check = checkIn(world) ?? assert.fail()
    const message = 'total: 3, unhealthy: 3, maxUnhealthy: 2'
    const condition = {
      type: 'RemediationAllowed',
      status: 'False',
      severity: 'Warning',
      reason: 'TooManyUnhealthy',
      message,
      lastTransitionTime: '2026-03-06T12:00:00Z',
    }
    world.put({ ...check, status: { conditions: [condition] } } as capi.MachineHealthCheck)
    pass(world, now)
    assert.deepEqual([said(poolIn(world), 'Ready'), messageOf(poolIn(world), 'Ready')], ['False/TooManyUnhealthy', message])
    const since = poolIn(world).status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime
    pass(world, now + 60_000)
    assert.equal(poolIn(world).status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime, since)
    const pool = poolIn(world)
    world.put({
      ...pool,
      metadata: {
        ...pool.metadata,
        annotations: { ...pool.metadata.annotations, 'hypershift.openshift.io/machine-health-check-max-unhealthy': '100%' },
      },
    })
    pass(world, now)
    assert.equal(checkIn(world)?.spec.maxUnhealthy, '100%')
  })

  it('NP-61 begins when the first machine has reached the ignition server', () => {
    const world = aWorld(aNewPool({ spec: { management: repairing } }))
    pass(world)
    assert.equal(checkIn(world), undefined)
    assert.equal(said(poolIn(world), 'AutorepairEnabled'), undefined)
    settle(world, new Provider(world))
    assert.notEqual(checkIn(world), undefined)
    assert.equal(said(poolIn(world), 'AutorepairEnabled'), 'True/AsExpected')
  })

  it('NP-61 stays while a rollout waits for its first machine', () => {
    const { world, now } = settled()
    setRelease(world, '4.20.1')
    pass(world, now)
    pass(world, now)
    assert.equal(said(poolIn(world), 'ReachedIgnitionEndpoint'), 'False/ignitionNotReached')
    assert.notEqual(checkIn(world), undefined)
    assert.equal(said(poolIn(world), 'AutorepairEnabled'), 'True/AsExpected')
  })

  it('ends when it is not wanted', () => {
    const { world, now } = settled()
    setSpec(world, { management: { ...repairing, autoRepair: false } })
    pass(world, now)
    assert.equal(checkIn(world), undefined)
    assert.equal(said(poolIn(world), 'AutorepairEnabled'), 'False/AsExpected')
  })

  it('goes by the annotations of the pool, then by those of its cluster, and not by what cannot be read', () => {
    const key = (name: string) => `hypershift.openshift.io/machine-health-check-${name}`
    const pool = aNewPool({ spec: { management: repairing } })
    const cluster = aHostedCluster()
    const world = aWorld(
      { ...pool, metadata: { ...pool.metadata, annotations: { [key('timeout')]: '10m', [key('max-unhealthy')]: 'many' } } },
      { ...cluster, metadata: { ...cluster.metadata, annotations: { [key('timeout')]: '5m', [key('node-startup-timeout')]: '1h' } } },
    )
    settle(world, new Provider(world))
    const { spec } = checkIn(world) ?? assert.fail()
    assert.deepEqual([spec.unhealthyConditions?.[0]?.timeout, spec.nodeStartupTimeout, spec.maxUnhealthy], ['10m0s', '1h0m0s', 2])
  })

  it('takes longer on bare metal, and has a check of its own for machines that the cloud takes back', () => {
    const pool = aNewPool({ spec: { platform: { type: 'Agent' }, management: repairing } })
    const spot = { ...pool, metadata: { ...pool.metadata, annotations: { 'hypershift.openshift.io/enable-spot': 'true' } } }
    const world = aWorld(spot)
    const { actions } = healthCheckOutcome(seenIn(world), true)
    world.carryOut(actions, noon)
    const drafts = world.list(capi.MachineHealthCheck)
    assert.deepEqual(
      drafts.map(({ metadata, spec }) => [metadata.name, spec.unhealthyConditions?.[0]?.timeout, spec.maxUnhealthy]),
      [
        ['workers', '16m0s', 2],
        ['workers-spot', '8m0s', '100%'],
      ],
    )
    assert.deepEqual(drafts[1]?.spec.selector.matchLabels, { [Label.interruptible]: '' })
  })
})

describe('a new Node', () => {
  const machine = (): capi.Machine => {
    const made = aCapiMachine()
    return {
      ...made,
      metadata: {
        ...made.metadata,
        labels: { 'managed.hypershift.openshift.io.tier': 'gold', other: 'x' },
        annotations: { [Annotation.nodePool]: 'clusters/workers', [Annotation.taints]: '[{"key":"gpu","effect":"NoSchedule"}]' },
      },
    }
  }

  it('gets the labels and taints of its pool', () => {
    const node = aNode({ spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } })
    const [action] = decideNode({ node, machine: machine() }).actions
    assert.deepEqual((action as PatchAction).patch, {
      metadata: {
        labels: { tier: 'gold', 'hypershift.openshift.io/nodePool': 'workers' },
        annotations: { 'hypershift.openshift.io/labelsSynced': 'true' },
      },
      spec: {
        taints: [
          { key: 'a', effect: 'NoExecute' },
          { key: 'gpu', effect: 'NoSchedule' },
        ],
      },
    })
  })

  it('gets them once, and only when its Machine is known', () => {
    const synced = aNode({ metadata: { annotations: { 'hypershift.openshift.io/labelsSynced': 'true' } } })
    assert.deepEqual(decideNode({ node: synced, machine: machine() }).actions, [])
    assert.deepEqual(decideNode({ node: aNode(), machine: undefined }).actions, [])
  })

  it('is not kept from its labels by taints that cannot be read', () => {
    const odd = machine()
    const [action] = decideNode({
      node: aNode(),
      machine: { ...odd, metadata: { ...odd.metadata, annotations: { [Annotation.taints]: '{' } } },
    }).actions
    assert.equal((action as PatchAction).patch['spec'], undefined)
  })
})
