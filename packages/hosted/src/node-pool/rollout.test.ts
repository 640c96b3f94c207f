import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, KubevirtMachineTemplate } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { aHostedCluster, aMachineDeployment } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { isMachineDeploymentComplete, rolloutBounds } from './machines/index.ts'
import {
  aNewPool,
  aWorld,
  deploymentIn,
  messageOf,
  minute,
  pass,
  poolIn,
  Provider,
  said,
  setRelease,
  setSpec,
  settle,
  settled,
  updating,
  versionsIn,
} from './testing/index.ts'
import { Annotation } from './wire.ts'

const home = 'clusters-prod'
type Management = NodePool['spec']['management']
const rolling = (maxSurge: number | string, maxUnavailable: number | string): Management => ({
  upgradeType: 'Replace',
  replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
})
const onDelete: Management = { upgradeType: 'Replace', replace: { strategy: 'OnDelete' } }

describe('a pool whose nodes are replaced', () => {
  it('NP-17 goes over several minors in one rollout', () => {
    const world = aWorld(aNewPool({ release: '4.16.3' }), aHostedCluster({ release: '4.19.6' }))
    const provider = new Provider(world)
    const now = settle(world, provider)
    assert.deepEqual(versionsIn(world), ['4.16.3', '4.16.3', '4.16.3'])
    const before = world.list(capi.MachineSet).length
    setRelease(world, '4.19.6')
    settle(world, provider, now)
    assert.equal(poolIn(world).status?.version, '4.19.6')
    assert.deepEqual(versionsIn(world), ['4.19.6', '4.19.6', '4.19.6'])
    assert.equal(world.list(capi.MachineSet).length, before + 1, 'nothing is made of what lies between')
  })

  it('NP-44 with a surge of one and none away has never fewer than three available, nor more than four machines', () => {
    const { world, provider, now } = settled()
    setRelease(world, '4.20.1')
    settle(world, provider, now)
    assert.deepEqual([provider.mostMachines, provider.fewestAvailable], [4, 3])
    assert.equal(poolIn(world).status?.version, '4.20.1')
    assert.deepEqual(versionsIn(world), ['4.20.1', '4.20.1', '4.20.1'])
    assert.deepEqual(
      poolIn(world).status?.nodesInfo?.nodeVersions.map(({ ocpVersion, readyNodeCount }) => [ocpVersion, readyNodeCount]),
      [['4.20.1', 3]],
    )
  })

  it('NP-45 with no surge and one away has never more than three machines, nor fewer than two available', () => {
    const { world, provider, now } = settled(aNewPool({ spec: { management: rolling(0, 1) } }))
    setRelease(world, '4.20.1')
    settle(world, provider, now)
    assert.deepEqual([provider.mostMachines, provider.fewestAvailable], [3, 2])
    assert.equal(poolIn(world).status?.version, '4.20.1')
  })

  it('NP-44 NP-45 stays within the bounds of its strategy, whatever that is, and gets to the target', () => {
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), amount, amount, fc.integer({ min: 1, max: 4 }), (replicas, surge, away, bootSteps) => {
        const world = aWorld(aNewPool({ spec: { replicas, management: rolling(surge, away) } }), aHostedCluster({ release: '4.20.1' }))
        const provider = new Provider(world, { bootSteps })
        const now = settle(world, provider)
        provider.forget()
        setRelease(world, '4.20.1')
        settle(world, provider, now)
        const { mostMachines, leastAvailable } = rolloutBounds(replicas, { maxSurge: surge, maxUnavailable: away })
        assert.ok(provider.mostMachines <= mostMachines && provider.fewestAvailable >= leastAvailable)
        assert.equal(poolIn(world).status?.version, '4.20.1')
      }),
      { numRuns: 25 },
    )
  })

  it('counts as Cluster API does: surges are rounded up, absences down, and something must be able to move', () => {
    assert.deepEqual(rolloutBounds(3, { maxSurge: '25%', maxUnavailable: '25%' }), { mostMachines: 4, leastAvailable: 3 })
    assert.deepEqual(rolloutBounds(3, { maxSurge: 0, maxUnavailable: '10%' }), { mostMachines: 3, leastAvailable: 2 })
  })

  it('NP-46 NP-47 with OnDelete waits until somebody deletes each old machine', () => {
    const { world, provider, now } = settled(aNewPool({ spec: { management: onDelete } }))
    const old = world.list(capi.Machine)
    setRelease(world, '4.20.1')
    let time = settle(world, provider, now)
    assert.deepEqual(versionsIn(world), ['4.19.6', '4.19.6', '4.19.6'])
    assert.deepEqual([updating(world)[0], poolIn(world).status?.version], ['True', '4.19.6'])
    for (const machine of old) {
      assert.equal(poolIn(world).status?.version, '4.19.6')
      provider.remove(machine, time)
      time = settle(world, provider, time)
    }
    assert.deepEqual(versionsIn(world), ['4.20.1', '4.20.1', '4.20.1'])
    assert.equal(poolIn(world).status?.version, '4.20.1')
  })

  it('NP-48 is not complete while the newer counters say otherwise', () => {
    const { status } = aMachineDeployment()
    const complete = (v1beta2: object | undefined) =>
      isMachineDeploymentComplete(aMachineDeployment({ status: { ...status, ...(v1beta2 === undefined ? {} : { v1beta2 }) } }))
    assert.equal(isMachineDeploymentComplete(aMachineDeployment()), true)
    assert.equal(complete({ upToDateReplicas: 0, availableReplicas: 3 }), false)
    assert.equal(complete({ availableReplicas: 3 }), false)
  })

  it('NP-49 is not complete by counters of an older generation', () => {
    const { metadata, status } = aMachineDeployment()
    const { v1beta2: _, ...rest } = status ?? assert.fail()
    const at = (generation: number, observedGeneration: number) =>
      isMachineDeploymentComplete({
        ...aMachineDeployment({ status: { ...rest, observedGeneration } }),
        metadata: { ...metadata, generation },
      })
    assert.deepEqual([at(5, 4), at(5, 5)], [false, true])
  })

  it('NP-49 is not complete in the pass that gives it something new', () => {
    const { world, now } = settled()
    setRelease(world, '4.20.1')
    pass(world, now)
    assert.equal(poolIn(world).status?.version, '4.19.6')
  })

  it('NP-50 without replicas is complete at once', () => {
    const { world, provider, now } = settled(aNewPool({ spec: { replicas: 0 } }))
    setRelease(world, '4.20.1')
    settle(world, provider, now)
    assert.equal(poolIn(world).status?.version, '4.20.1')
    assert.equal(said(poolIn(world), 'AllMachinesReady'), 'False/AsExpected')
    assert.equal(messageOf(poolIn(world), 'AllMachinesReady'), 'NodePool set to no replicas')
  })

  it('NP-51 gets another template for other hardware, and loses the old one when nothing refers to it', () => {
    const { world, provider, now } = settled()
    const names = () => world.list(KubevirtMachineTemplate).map(({ metadata }) => metadata.name)
    const [old] = names()
    const { platform } = poolIn(world).spec
    setSpec(world, { platform: { ...platform, kubevirt: { rootVolume: {}, compute: { cores: 8, memory: '32Gi' } } } })
    pass(world, now)
    assert.equal(names().length, 2)
    assert.match(
      messageOf(poolIn(world), 'UpdatingPlatformMachineTemplate') ?? '',
      /^platform machine template update in progress\. Target template: workers-/,
    )
    assert.deepEqual(updating(world), ['False', 'False'])
    const end = settle(world, provider, now)
    assert.deepEqual(
      world.list(capi.Machine).map(({ spec }) => spec.infrastructureRef.name === old),
      [false, false, false],
    )
    assert.equal(said(poolIn(world), 'UpdatingPlatformMachineTemplate'), 'False/AsExpected')
    // The old MachineSet stays at no replicas, and with it the template that it was made from.
    assert.equal(names().length, 2)
    for (const set of world.list(capi.MachineSet))
      if (set.spec.replicas === 0) world.drop(capi.MachineSet, { namespace: home, name: set.metadata.name ?? '' })
    pass(world, end)
    assert.deepEqual(names().length, 1)
  })

  it('NP-52 writes labels and taints onto machines, and not into what they are made from', () => {
    const { world, now } = settled()
    const before = deploymentIn(world).spec.template
    setSpec(world, { nodeLabels: { tier: 'gold' }, taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] })
    pass(world, now)
    assert.deepEqual(deploymentIn(world).spec.template, before)
    for (const { metadata } of world.list(capi.Machine)) {
      assert.equal(metadata.labels?.['managed.hypershift.openshift.io.tier'], 'gold')
      assert.equal(metadata.annotations?.[Annotation.taints], '[{"key":"gpu","value":"yes","effect":"NoSchedule"}]')
    }
    setSpec(world, { nodeLabels: {}, taints: [] })
    pass(world, now)
    assert.deepEqual(
      world
        .list(capi.Machine)
        .map(({ metadata }) => [metadata.labels?.['managed.hypershift.openshift.io.tier'], metadata.annotations?.[Annotation.taints]]),
      [
        [undefined, 'null'],
        [undefined, 'null'],
        [undefined, 'null'],
      ],
    )
  })

  it('takes another target in the middle of a rollout, and never records the one between', () => {
    const { world, provider, now } = settled()
    setRelease(world, '4.20.0')
    pass(world, now)
    provider.step(now)
    provider.step(now)
    setRelease(world, '4.20.1')
    const seen = new Set<string | undefined>()
    for (let time = now; time < now + 60 * minute; time += minute) {
      pass(world, time)
      provider.step(time)
      seen.add(poolIn(world).status?.version)
    }
    assert.deepEqual([...seen], ['4.19.6', '4.20.1'])
  })
})
