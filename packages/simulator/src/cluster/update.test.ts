import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, MachineConfigPool, Node } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { assertRepeatable, forEachSeed, simulate, type Simulation, type World } from '@windlass/kube/simulation'
import { clusterControllers } from './index.ts'
import { definitions, given, looking, ofUpdates, start, updates } from './testing/index.ts'

const cluster = given()

function simulation(
  seed: number,
  world: (world: World) => Promise<void>,
  more: Partial<Simulation> & { readonly speed?: number } = {},
): Simulation {
  const { speed = 1, ...rest } = more
  return {
    seed,
    definitions,
    given: cluster,
    controllers: () => clusterControllers({ seed, speed, updates }),
    invariants: ofUpdates,
    world,
    ...rest,
  }
}

async function updated(world: World): Promise<void> {
  const see = looking(world)
  await world.sleep('5m')
  await see.ask({ version: '4.18.16' })
  await world.until(() => see.isCompleted('4.18.16'), { within: '3h', every: '5s' })
  await world.until(() => see.areNodesDone('4.18.16'), { within: '3h', every: '5s' })
}

describe('a cluster at rest', () => {
  it('is looked at and left alone', async () => {
    const { writes } = await simulate(
      simulation(1, async (world) => {
        await world.sleep('3h')
      }),
    )
    const later = writes.filter(({ at }) => at > start + 60_000)
    assert.deepEqual(later.map(String), [])
    assert.ok(
      writes.every((write) => write.isOf(ClusterVersion)),
      'only updates are looked up',
    )
  })

  it('knows which updates there are', async () => {
    await simulate(
      simulation(1, async (world) => {
        await world.sleep('1m')
        const { status } = looking(world).clusterVersion() ?? {}
        assert.deepEqual(
          status?.availableUpdates?.map(({ version }) => version),
          ['4.20.1', '4.19.1', '4.18.17', '4.18.16'],
        )
        assert.match(looking(world).says('RetrievedUpdates') ?? '', /^True/)
      }),
    )
  })
})

describe('an update', () => {
  it('goes through all operators and all nodes, in order, and takes about an hour', async () => {
    const { writes } = await simulate(
      simulation(1, async (world) => {
        const see = looking(world)
        await updated(world)
        assert.deepEqual(see.history(), ['Completed 4.18.16*', 'Completed 4.18.15*'])
        assert.equal(see.says('Available'), 'True||Done applying 4.18.16')
        assert.equal(see.says('Failing'), 'False||')
        assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.16')
        assert.match(see.says('ReleaseAccepted') ?? '', /^True\|PayloadLoaded\|Payload loaded version="4.18.16" image="/)
        for (const { metadata } of world.state.list(ClusterOperator))
          assert.equal(see.operatorVersion(metadata.name ?? ''), '4.18.16', metadata.name)
        await world.settled({ within: '30m' })
        for (const name of ['master', 'worker']) {
          const { status, spec } = see.pool(name) ?? {}
          assert.match(see.poolSays(name, 'Updated') ?? '', /^True\|\|All nodes are updated with MachineConfig rendered-/)
          assert.deepEqual(
            [status?.machineCount, status?.updatedMachineCount, status?.readyMachineCount, status?.unavailableMachineCount],
            [3, 3, 3, 0],
          )
          assert.deepEqual(status?.configuration, spec?.configuration)
        }
      }),
    )
    const [newest] = writes.findLast((write) => write.isOf(ClusterVersion))?.as(ClusterVersion)?.status?.history ?? []
    const minutes = ((parseTime(newest?.completionTime) ?? 0) - (parseTime(newest?.startedTime) ?? 0)) / 60_000
    assert.ok(minutes > 50 && minutes < 75, `it took ${minutes} minutes`)
  })

  it('T115 is not on record before it is accepted; then it is in one write, which says that it is progressing', async () => {
    const { writes } = await simulate(
      simulation(1, async (world) => {
        const see = looking(world)
        await world.sleep('5m')
        await see.ask({ version: '4.18.16' })
        await world.sleep('2s')
        assert.match(
          see.says('ReleaseAccepted') ?? '',
          /^Unknown\|RetrievePayload\|Retrieving and verifying payload version="4.18.16" image=".+"$/,
        )
        assert.equal(see.clusterVersion()?.status?.desired.version, '4.18.15')
        assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.15')
        await world.sleep('2m')
      }),
    )
    const first = writes.find((write) => write.as(ClusterVersion)?.status?.history?.length === 2)
    const { status } = first?.as(ClusterVersion) ?? {}
    assert.equal(first?.was(ClusterVersion)?.status?.desired.version, '4.18.15')
    assert.equal(status?.desired.version, '4.18.16')
    assert.deepEqual(status.history?.[0]?.completionTime, null)
    const said = Object.fromEntries(
      (status.conditions ?? []).map(({ type, status: value, reason, message }) => [type, [value, reason, message]]),
    )
    assert.deepEqual(said['Progressing'], ['True', undefined, 'Working towards 4.18.16'])
    assert.equal(said['ReleaseAccepted']?.[0], 'True')
  })

  it('has updated all operators while it is still progressing, and its workers when it is not', async () => {
    await simulate(
      simulation(2, async (world) => {
        const see = looking(world)
        await see.ask({ image: 'example.com/ocp/release:4.18.16-x86_64' })
        const areUpdated = (): boolean =>
          world.state.list(ClusterOperator).every(({ metadata }) => see.operatorVersion(metadata.name ?? '') === '4.18.16')
        await world.until(areUpdated, { within: '2h' })
        assert.match(see.says('Progressing') ?? '', /^True/)
        assert.equal(see.pool('master')?.status?.updatedMachineCount, 3)
        await world.until(() => see.isCompleted('4.18.16'), { within: '10m' })
      }),
    )
    await simulate(
      simulation(
        2,
        async (world) => {
          const see = looking(world)
          await see.ask({ version: '4.18.16', image: 'example.com/ocp/release:4.18.16-x86_64' })
          await world.until(() => see.isCompleted('4.18.16'), { within: '2h' })
          assert.ok((see.pool('worker')?.status?.updatedMachineCount ?? 3) < 6, 'six workers take longer than three masters')
          await world.until(() => see.areNodesDone('4.18.16'), { within: '2h' })
          assert.equal(see.says('Progressing'), 'False||Cluster version is 4.18.16')
        },
        { given: six },
      ),
    )
  })

  it('writes what changes and little more', async () => {
    const { writes } = await simulate(simulation(1, updated))
    const count = (kind: typeof ClusterVersion | typeof ClusterOperator | typeof MachineConfigPool | typeof Node): number =>
      writes.filter((write) => write.isOf(kind as typeof Node)).length
    assert.ok(count(ClusterVersion) < 100, `ClusterVersion was written ${count(ClusterVersion)} times`)
    assert.ok(count(ClusterOperator) < 33 * 5, `ClusterOperators were written ${count(ClusterOperator)} times`)
    assert.ok(count(Node) <= 6 * 10, `Nodes were written ${count(Node)} times`)
  })

  it('is the same for the same seed, to the byte', { timeout: 60_000 }, async () => {
    await assertRepeatable(simulation(3, updated))
  })

  it('goes on after the process was killed, again and again', { timeout: 120_000 }, async () => {
    await forEachSeed({ count: 3 }, (seed) => simulate(simulation(seed, updated, { faults: { crashes: '1m' }, calmAfter: '2h', speed: 3 })))
  })

  it('keeps all laws whatever goes wrong', { timeout: 300_000 }, async () => {
    await forEachSeed({ count: 10 }, (seed) =>
      simulate(simulation(seed, updated, { faults: 'all', processes: 2, calmAfter: '20m', speed: 3 })),
    )
  })
})

const six = given({ workers: 6 })
