import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, ConfigMap, KubevirtMachineTemplate, Node, NodePool, Secret } from '@windlass/api'
import { formatTime, parseTime } from '@windlass/core'
import type { Write } from '@windlass/kube/simulation'
import { Annotation } from '../wire.ts'
import { aMachineConfig } from '../testing/index.ts'
import { atMost, availableAtLeast } from './invariants.ts'
import {
  change,
  controlPlaneAt,
  hashIn,
  home,
  installed,
  isAt,
  machinesIn,
  nodesIn,
  nodesInfo,
  poolIn,
  questionFor,
  said,
  secretsIn,
  tell,
  upgrade,
} from './world.ts'

const hour = 3_600_000
const never = new AbortController().signal

/** What a pool said over time, each state once. */
function statesOf(writes: readonly Write[], pick: (pool: NodePool) => string, since = 0): readonly string[] {
  const states = writes
    .filter(({ at }) => at >= since)
    .flatMap((write) => (write.as(NodePool) === undefined ? [] : [pick(write.object as NodePool)]))
  return states.filter((state, index) => state !== states[index - 1])
}

const conditionOf = ({ status }: NodePool, type: string): string => {
  const { status: state = '-', reason = '' } = status?.conditions?.find((each) => each.type === type) ?? {}
  return reason === 'AsExpected' || reason === '' ? state : `${state}/${reason}`
}

describe('a pool whose machines are replaced', () => {
  it('NP-02 gets its machines, which become nodes of the guest, with the labels and taints of the pool', async () => {
    await tell(async (world) => {
      const spec = { nodeLabels: { tier: 'web' }, taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' as const }] }
      await installed(world, { spec })
      assert.equal(said(world, 'Ready'), 'True/AsExpected')
      assert.deepEqual([machinesIn(world).length, nodesIn(world).length, poolIn(world)?.status?.replicas], [3, 3, 3])
      assert.deepEqual(nodesInfo(world), ['4.19.6: 3 ready, 0 not'])
      assert.equal(hashIn(world).length, 8)
      assert.deepEqual(secretsIn(world), [`token-workers-${hashIn(world)}`, `user-data-workers-${hashIn(world)}`])
      for (const { metadata, spec: node } of nodesIn(world)) {
        assert.deepEqual([metadata.labels?.['tier'], metadata.labels?.['hypershift.openshift.io/nodePool']], ['web', 'workers'])
        assert.deepEqual(node.taints, spec.taints)
      }
      // Once only: what people change on a Node afterwards stays.
      const [first] = nodesIn(world)
      const guest = world.clientOf(home)
      await guest.patch(Node, { name: first?.metadata.name ?? '' }, { metadata: { labels: { tier: 'batch' } } })
      await change(world, { nodeLabels: { tier: 'api' } })
      await world.settled({ within: '10m' })
      assert.deepEqual(
        nodesIn(world)
          .map(({ metadata }) => metadata.labels?.['tier'] ?? '')
          .toSorted(),
        ['batch', 'web', 'web'],
      )
    })
  })

  it('NP-37 NP-38 NP-44 follows the reference timeline from 4.19.6 to 4.20.1', async () => {
    let began = 0
    let [a, b] = ['', '']
    const { writes } = await tell(
      async (world, desk) => {
        await installed(world)
        a = hashIn(world)
        const before = questionFor(world, a)
        await controlPlaneAt(world, '4.20.1')
        await world.settled({ within: '5m' })
        began = world.clock.now()
        await upgrade(world, '4.20.1')
        await world.until(() => isAt(world, '4.20.1'), { within: '20m' })
        b = hashIn(world)
        assert.notEqual(a, b)
        const token = world.state.get(Secret, { namespace: home, name: `token-workers-${a}` })
        const expires = parseTime(token?.metadata.annotations?.[Annotation.tokenExpires]) ?? 0
        // Marked by the first pass after the change, which comes within a second.
        assert.ok(expires - began >= 2 * hour - 1000 && expires - began <= 2 * hour + 2000, String(expires - began))
        await world.settled({ within: '10m' })
        assert.deepEqual(secretsIn(world), [`token-workers-${a}`, `token-workers-${b}`, `user-data-workers-${b}`].toSorted())
        assert.deepEqual(nodesInfo(world), ['4.20.1: 3 ready, 0 not'])
        assert.deepEqual([machinesIn(world).length, nodesIn(world).length], [3, 3])
        assert.ok(nodesIn(world).every(({ status }) => status?.nodeInfo?.kubeletVersion === 'v1.33.1'))
        assert.equal(world.state.list(KubevirtMachineTemplate).length, 2, 'the template of the MachineSet that is kept at 0 stays')
        assert.equal((await desk.fetch(before, never)).status, 200, 'machines that are starting may still hold it')
        assert.equal(
          world.state.get(Secret, { namespace: home, name: `token-workers-${a}` })?.metadata.annotations?.[Annotation.tokenExpires],
          formatTime(expires),
        )
        await world.sleep(expires - world.clock.now() + 1001)
        assert.equal((await desk.fetch(before, never)).status, 511, 'nobody is let in with it from then on')
        assert.deepEqual(secretsIn(world), [`token-workers-${b}`, `user-data-workers-${b}`])
      },
      { invariants: [atMost(4), availableAtLeast(3)] },
    )
    assert.deepEqual(
      statesOf(writes, (pool) => `${pool.status?.version ?? ''} updating ${conditionOf(pool, 'UpdatingVersion')}`, began),
      // The pass that says that it is done still says that it is not: conditions are judged before it is found out.
      ['4.19.6 updating False', '4.19.6 updating True', '4.20.1 updating True', '4.20.1 updating False'],
    )
    assert.deepEqual(
      statesOf(writes, (pool) => conditionOf(pool, 'ValidGeneratedPayload'), began),
      ['True', 'False/NotFound', 'Unknown', 'True'],
    )
    assert.deepEqual(
      statesOf(writes, (pool) => conditionOf(pool, 'ReachedIgnitionEndpoint'), began),
      ['True', 'False/NotFound', 'False/ignitionNotReached', 'True'],
    )
    assert.deepEqual(new Set(statesOf(writes, ({ status }) => String(status?.replicas), began)), new Set(['3']), 'three all the time')
    const info = statesOf(writes, ({ status }) => (status?.nodesInfo?.nodeVersions ?? []).map(({ ocpVersion }) => ocpVersion).join(), began)
    assert.deepEqual(info, ['4.19.6', '4.19.6,4.20.1', '4.20.1'])
  })

  it('NP-45 makes no more machines than it should have when none may be too many', async () => {
    const replace = { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } as const
    await tell(
      async (world) => {
        await installed(world, { spec: { management: { upgradeType: 'Replace', autoRepair: false, replace } } })
        await upgrade(world, '4.19.7')
        await controlPlaneAt(world, '4.19.7')
        await world.until(() => isAt(world, '4.19.7'), { within: '20m' })
        await world.settled({ within: '10m' })
        assert.deepEqual(nodesInfo(world), ['4.19.7: 3 ready, 0 not'])
      },
      { invariants: [atMost(3), availableAtLeast(2)] },
    )
  })

  it('NP-47 replaces machines only as people delete them, where that is how it is done', async () => {
    await tell(async (world) => {
      await installed(world, { spec: { management: { upgradeType: 'Replace', autoRepair: false, replace: { strategy: 'OnDelete' } } } })
      const before = machinesIn(world).map(({ metadata }) => metadata.name ?? '')
      await upgrade(world, '4.19.5')
      await world.sleep('30m')
      assert.deepEqual(
        machinesIn(world).map(({ metadata }) => metadata.name),
        before,
      )
      assert.deepEqual([said(world, 'UpdatingVersion'), poolIn(world)?.status?.version], ['True/AsExpected', '4.19.6'])
      for (const [index, name] of before.entries()) {
        await world.client.delete(capi.Machine, { namespace: home, name })
        await world.settled({ within: '10m' })
        assert.equal(poolIn(world)?.status?.version, index === before.length - 1 ? '4.19.5' : '4.19.6')
      }
      assert.deepEqual(nodesInfo(world), ['4.19.5: 3 ready, 0 not'])
    })
  })

  it('NP-12 NP-13 does not go above its control plane, says so, and goes as soon as that is there', async () => {
    await tell(async (world) => {
      await installed(world)
      const skew = said(world, 'SupportedVersionSkew')
      await upgrade(world, '4.20.1')
      await world.until(() => said(world, 'ValidReleaseImage') === 'False/ValidationFailed', { within: '1m' })
      await world.sleep('10m')
      const message = poolIn(world)?.status?.conditions?.find(({ type }) => type === 'ValidReleaseImage')?.message ?? ''
      assert.ok(message.includes('the latest version supported is: "4.19.6". Attempting to use: "4.20.1"'), message)
      assert.deepEqual(nodesInfo(world), ['4.19.6: 3 ready, 0 not'])
      assert.equal(said(world, 'SupportedVersionSkew'), skew)
      await controlPlaneAt(world, '4.20.1')
      await world.until(() => isAt(world, '4.20.1'), { within: '20m' })
    })
  })

  it('NP-31 rolls when its configuration changes, and not when nothing of it does', async () => {
    await tell(
      async (world) => {
        await world.client.create(ConfigMap, { metadata: { namespace: 'clusters', name: 'own' }, data: { config: aMachineConfig('own') } })
        await installed(world, { spec: { config: [{ name: 'own' }] } })
        const before = hashIn(world)
        await world.client.patch(ConfigMap, { namespace: 'clusters', name: 'own' }, { metadata: { labels: { touched: 'yes' } } })
        await world.settled({ within: '5m' })
        assert.equal(hashIn(world), before)
        await world.client.patch(ConfigMap, { namespace: 'clusters', name: 'own' }, { data: { config: aMachineConfig('own', 'data:,y') } })
        await world.until(() => said(world, 'UpdatingConfig') === 'True/AsExpected', { within: '1m' })
        assert.equal(said(world, 'UpdatingVersion'), 'False/AsExpected')
        await world.until(() => isAt(world, '4.19.6') && hashIn(world) !== before, { within: '20m' })
        await world.settled({ within: '10m' })
        assert.deepEqual(nodesInfo(world), ['4.19.6: 3 ready, 0 not'])
      },
      { invariants: [atMost(4), availableAtLeast(3)] },
    )
  })

  it('goes back when it is told to in the middle, and the machines that were there stay', async () => {
    await tell(
      async (world) => {
        await installed(world)
        const [before, names] = [hashIn(world), machinesIn(world).map(({ metadata }) => metadata.name ?? '')]
        await controlPlaneAt(world, '4.20.1')
        await upgrade(world, '4.20.1')
        await world.until(() => machinesIn(world).some(({ spec }) => spec.version === '4.20.1'), { within: '10m' })
        const token = () => world.state.get(Secret, { namespace: home, name: `token-workers-${before}` })?.metadata.annotations
        assert.notEqual(token()?.[Annotation.tokenExpires], undefined)
        await upgrade(world, '4.19.6')
        await world.settled({ within: '20m' })
        assert.equal(token()?.[Annotation.tokenExpires], undefined, 'it is good again')
        assert.deepEqual([hashIn(world), poolIn(world)?.status?.version], [before, '4.19.6'])
        assert.deepEqual(nodesInfo(world), ['4.19.6: 3 ready, 0 not'])
        assert.ok(machinesIn(world).filter(({ metadata }) => names.includes(metadata.name ?? '')).length >= 2)
        const left = secretsIn(world).filter((name) => !name.endsWith(before))
        assert.equal(left.length, 1, 'of what was not wanted after all a token is left')
        const [other] = left.map((name) => world.state.get(Secret, { namespace: home, name }))
        assert.notEqual(other?.metadata.annotations?.[Annotation.tokenExpires], undefined, 'and it goes when its time has come')
      },
      { invariants: [atMost(4), availableAtLeast(3)] },
    )
  })
})
