import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, KubevirtMachineTemplate, Node, type NodePool, Secret } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import type { FetchIgnition } from '@windlass/simulator'
import { Annotation, NodeAnnotation, PoolAnnotation } from '../wire.ts'
import { atMost, availableAtLeast, awayAtMost } from './invariants.ts'
import { neverLeaked } from './laws.ts'
import { foreign, type Leftovers, leftoversOf } from './leftovers.ts'
import { hashIn, home, installed, isAt, machinesIn, nodesIn, poolIn, said, secretsIn, type Story, tell, upgrade } from './world.ts'

const names = { token: `token-workers-${foreign.hash}`, userData: `user-data-workers-${foreign.hash}` }
const uidsOf = (world: World): readonly (string | undefined)[] => machinesIn(world).map(({ metadata }) => metadata.uid)
const tokenIn = ({ state }: World): string | undefined => state.get(Secret, { namespace: home, name: names.token })?.data?.['token']

/** A world in which another controller has made a pool, with its machines, and gone. Then we come. */
async function adopt(spec: Partial<NodePool['spec']>, script: (world: World, come: () => Promise<void>) => Promise<void>, story: Story) {
  let left: Leftovers | undefined
  await tell(async (world) => {
    await installed(world, { spec })
    left = leftoversOf(world)
  })
  let areWeHere = false
  const fetchIgnition =
    (fetch: FetchIgnition): FetchIgnition =>
    (...question) =>
      areWeHere ? fetch(...question) : Promise.resolve({ status: 200, body: '{}' })
  const come = async (world: World): Promise<void> => {
    areWeHere = true
    world.processes.get('operator-1')?.stop()
    await world.until(() => poolIn(world)?.metadata.annotations?.[PoolAnnotation.adoptedHash] === foreign.hash, { within: '5m' })
    await world.settled({ within: '10m' })
  }
  return tell(
    async (world) => {
      await (left ?? assert.fail()).put(world)
      await world.until(() => nodesIn(world).length === (spec.replicas ?? 3), { within: '10m' })
      await world.settled({ within: '10m' })
      await script(world, () => come(world))
    },
    { ...story, areWeHere: () => areWeHere, fetchIgnition },
  )
}

/** Nothing is called anything else than before, and nothing is on its way. */
function assertKept(world: World, templateOf: (world: World) => string | undefined): void {
  const { annotations = {} } = poolIn(world)?.metadata ?? {}
  assert.deepEqual(
    [PoolAnnotation.currentConfigVersion, PoolAnnotation.currentConfig, PoolAnnotation.adoptedHash, PoolAnnotation.adoptedConfig].map(
      (key) => annotations[key],
    ),
    [foreign.hash, foreign.configHash, foreign.hash, foreign.configHash],
  )
  assert.match(annotations[PoolAnnotation.configDigest] ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual([annotations[PoolAnnotation.machineTemplate], templateOf(world)], [foreign.template, foreign.template])
  assert.deepEqual(
    world.state.list(KubevirtMachineTemplate).map(({ metadata }) => metadata.name),
    [foreign.template],
  )
  assert.deepEqual(secretsIn(world), [names.token, names.userData])
  assert.equal(world.state.get(Secret, { namespace: home, name: names.token })?.metadata.annotations?.[Annotation.tokenExpires], undefined)
  assert.deepEqual(
    ['UpdatingConfig', 'UpdatingVersion', 'UpdatingPlatformMachineTemplate'].map((type) => said(world, type)),
    ['False/AsExpected', 'False/AsExpected', 'False/AsExpected'],
  )
}

/** From the next change on it is as if it had always been ours. */
async function assertOursAfterUpgrade(world: World): Promise<void> {
  await upgrade(world, '4.19.5')
  await world.until(() => isAt(world, '4.19.5'), { within: '30m' })
  await world.settled({ within: '10m' })
  assert.notEqual(hashIn(world), foreign.hash)
  const { annotations } = poolIn(world)?.metadata ?? {}
  assert.deepEqual([annotations?.[PoolAnnotation.adoptedHash], annotations?.[PoolAnnotation.adoptedConfig]], [undefined, undefined])
}

describe('a pool that another controller has left', () => {
  it('NP-69 is taken over with no machine made anew when its machines are replaced, and rolls when something changes', async () => {
    await adopt(
      {},
      async (world, come) => {
        const [machines, token] = [uidsOf(world), tokenIn(world)]
        await come()
        assert.deepEqual([uidsOf(world), tokenIn(world)], [machines, token])
        assertKept(
          world,
          ({ state }) =>
            state.get(capi.MachineDeployment, { namespace: home, name: 'workers' })?.spec.template.spec?.infrastructureRef.name,
        )
        assert.equal(world.state.count(capi.MachineSet), 1, 'not even an empty one is made')
        await assertOursAfterUpgrade(world)
        assert.ok(!uidsOf(world).some((uid) => machines.includes(uid)))
      },
      { invariants: [atMost(4), availableAtLeast(3), neverLeaked] },
    )
  })

  it('NP-69 is taken over with no node touched when its nodes stay, and is upgraded in place when something changes', async () => {
    const spec = { replicas: 2, management: { upgradeType: 'InPlace', autoRepair: false, inPlace: { maxUnavailable: 1 } } } as const
    const { writes } = await adopt(
      spec,
      async (world, come) => {
        // One of them was upgraded in place before, the other was made with its configuration.
        const [first] = nodesIn(world)
        const drain = `uncordon-${foreign.hash}`
        const annotations = {
          [NodeAnnotation.currentConfig]: foreign.hash,
          [NodeAnnotation.desiredConfig]: foreign.hash,
          [NodeAnnotation.state]: 'Done',
          [NodeAnnotation.desiredDrain]: drain,
          [NodeAnnotation.lastAppliedDrain]: drain,
        }
        await world.clientOf(home).patch(Node, { name: first?.metadata.name ?? '' }, { metadata: { annotations } })
        const [machines, token] = [uidsOf(world), tokenIn(world)]
        await come()
        assert.deepEqual([uidsOf(world), tokenIn(world)], [machines, token])
        const set = ({ state }: World) => state.get(capi.MachineSet, { namespace: home, name: 'workers' })
        assertKept(world, (inside) => set(inside)?.spec.template?.spec?.infrastructureRef.name)
        const { [PoolAnnotation.currentConfigVersion]: current, [Annotation.targetConfigVersion]: target } =
          set(world)?.metadata.annotations ?? {}
        assert.deepEqual([current, target], [foreign.hash, foreign.hash])
        assert.ok(nodesIn(world).every((node) => node.spec.unschedulable !== true))
        await assertOursAfterUpgrade(world)
        assert.deepEqual(uidsOf(world), machines)
        assert.ok(nodesIn(world).every(({ metadata }) => metadata.annotations?.[NodeAnnotation.currentConfig] === hashIn(world)))
      },
      { invariants: [atMost(2), awayAtMost(1), neverLeaked] },
    )
    const deleted = writes.filter((write) => write.isOf(capi.Machine) && write.verb === 'delete')
    assert.deepEqual(deleted, [])
  })
})
