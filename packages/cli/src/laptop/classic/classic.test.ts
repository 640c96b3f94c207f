import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, ConfigMap, LogicalCluster, machineApi, Namespace, Node, UpgradeConfig } from '@windlass/api'
import { sampleCatalogue, updateGraph } from '@windlass/hosted'
import { type Log, silentLog } from '@windlass/kube'
import type { Program, Simulation, World } from '@windlass/kube/simulation'
import { simulate } from '@windlass/kube/simulation'
import { alertsAnnotation } from '@windlass/simulator'
import { entryOf, stepConditions, upgradeConfigName } from '@windlass/upgrades'
import { roleLabel } from '../fleet-objects.ts'
import { definitions } from '../testing/index.ts'
import { classicCluster, type ClassicOptions } from './index.ts'
import { ClassicRole } from './make.ts'
import { upgradeHome } from './objects.ts'
import { classicSample } from './sample.ts'

const { name, version, next, channel } = classicSample
const where = { cluster: name }
const upgradeRef = { namespace: upgradeHome, name: upgradeConfigName }
const usual = { seed: '1', speed: 20 }

const laptop =
  (options: ClassicOptions): Program =>
  ({ signal, ...context }) =>
    classicCluster(options, { ...context, catalogue: sampleCatalogue(), instance: 'laptop' }).run(signal)

/** A server with nothing but what keeps the classic cluster, in virtual time. */
function onLaptop(
  world: Simulation['world'],
  { hasControllers = true, ...rest }: Partial<Simulation> & Partial<Pick<ClassicOptions, 'hasControllers'>> = {},
) {
  return simulate({
    seed: 1,
    definitions,
    programs: { laptop: laptop({ ...usual, hasControllers }) },
    limit: '12h',
    ...rest,
    world: async (scene) => {
      try {
        await world(scene)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${described(scene)}`, { cause: error })
      }
    },
  })
}

const upgradeIn = ({ state }: World) => state.get(UpgradeConfig, upgradeRef, where)

function entryIn(world: World) {
  const found = upgradeIn(world)
  return found === undefined ? undefined : entryOf(found)
}

function described(world: World): string {
  const { phase = 'none', conditions = [] } = entryIn(world) ?? {}
  const history = world.state.get(ClusterVersion, { name: 'version' }, where)?.status?.history ?? []
  return [
    `phase ${phase}`,
    ...conditions.map(({ type, status, message }) => `  ${type} ${status}: ${message ?? ''}`),
    ...history.map((entry) => `  ${entry.state} ${entry.version ?? ''}`),
  ].join('\n')
}

const untilPhase = (world: World, phase: string, within: string): Promise<void> =>
  world.until(() => entryIn(world)?.phase === phase, { within })

function versionsIn({ state }: World): readonly string[] {
  const { status } = state.get(ClusterVersion, { name: 'version' }, where) ?? {}
  return (status?.history ?? []).map((entry) => `${entry.state} ${entry.version ?? ''}`)
}

describe('the classic cluster of a laptop', () => {
  it('asks for an upgrade that there is', () => {
    const { nodes, edges } = updateGraph(sampleCatalogue(), { channel })
    const at = (wanted: string): number => nodes.findIndex((node) => node.version === wanted)
    assert.ok(edges.some(([from, to]) => from === at(version) && to === at(next)))
  })

  it('is made at once, upgraded two minutes later with all 17 steps, and rests afterwards', { timeout: 120_000 }, async () => {
    await onLaptop(async (world) => {
      const { state } = world
      await untilPhase(world, 'Pending', '20s')
      assert.deepEqual(versionsIn(world), [`Completed ${version}`])
      assert.equal(state.list(Node, where).length, 6)
      await world.until(() => entryIn(world)?.phase === 'Upgrading', { within: '2m10s' })
      await world.until(() => state.list(machineApi.MachineSet, where).length === 6, { within: '1m' })
      await untilPhase(world, 'Upgraded', '15m')
      assert.deepEqual(
        (entryIn(world)?.conditions ?? []).map(({ type, status }) => `${type} ${status}`).toReversed(),
        stepConditions.map((type) => `${type} True`),
      )
      assert.deepEqual(versionsIn(world), [`Completed ${next}`, `Completed ${version}`])
      await world.settled({ within: '10m', quietFor: '2m' })
      assert.equal(state.list(machineApi.MachineSet, where).length, 3)
      const silences = Object.values(
        state.get(ConfigMap, { namespace: 'openshift-monitoring', name: 'simulated-alertmanager' }, where)?.data ?? {},
      )
      assert.ok(silences.length >= 3)
      assert.ok(upgradeIn(world) !== undefined, 'people find out how it went')
    })
  })

  it('is held up by an alert that somebody lets fire', { timeout: 60_000 }, async () => {
    await onLaptop(async (world) => {
      await untilPhase(world, 'Pending', '20s')
      const alerts = (text: string | null) => ({ metadata: { annotations: { [alertsAnnotation]: text } } })
      const home = { name: 'openshift-monitoring' }
      await world.clientOf(name).patch(Namespace, home, alerts('EtcdMembersDown'))
      const step = () => entryIn(world)?.conditions?.find(({ type }) => type === 'ClusterHealthyBeforeUpgrade')
      await world.until(() => /CriticalAlertsHealthcheckFailed/.test(step()?.message ?? ''), { within: '4m' })
      assert.equal(world.state.list(machineApi.MachineSet, where).length, 3)
      await world.clientOf(name).patch(Namespace, home, alerts(null))
      await world.until(() => step()?.status === 'True', { within: '4m' })
    })
  })

  it('goes on wherever the process ends, and is never made again', { timeout: 120_000 }, async () => {
    const complaints: string[] = []
    const complain = (_: object, message: string): void => void complaints.push(message)
    const log: Log = { ...silentLog, warn: complain, error: complain, child: () => log }
    await onLaptop(
      async (world) => {
        await untilPhase(world, 'Upgraded', '1h')
        assert.deepEqual(versionsIn(world), [`Completed ${next}`, `Completed ${version}`])
        assert.equal(world.state.list(Node, where).filter(({ metadata }) => /^(master|worker)-\d$/.test(metadata.name ?? '')).length, 6)
        complaints.length = 0
        await world.client.delete(LogicalCluster, { name })
        await world.until(() => world.state.get(LogicalCluster, { name }) === undefined, { within: '5m' })
        assert.deepEqual(complaints, [])
        world.processes.get('laptop')?.crash()
        await world.sleep('5m')
        assert.equal(world.state.get(LogicalCluster, { name }), undefined)
      },
      { faults: { crashes: '90s' }, calmAfter: '10m', log },
    )
  })

  it('is left to whoever runs the controllers, where they do not run here', { timeout: 60_000 }, async () => {
    await onLaptop(
      async (world) => {
        await world.sleep('5m')
        assert.ok(upgradeIn(world) !== undefined)
        assert.equal(entryIn(world), undefined)
        assert.deepEqual(versionsIn(world), [`Completed ${version}`])
      },
      { hasControllers: false },
    )
  })

  it('is completed where it was left half made', { timeout: 60_000 }, async () => {
    await onLaptop((world) => untilPhase(world, 'Pending', '1m'), {
      given: async (client) => {
        const metadata = { name, labels: { [roleLabel]: ClassicRole.unfinished } }
        await client.create(LogicalCluster, { metadata, spec: { template: 'root' } })
      },
    })
  })

  it('is not put into a cluster of the same name that was there before', { timeout: 60_000 }, async () => {
    await onLaptop(
      async (world) => {
        await world.sleep('1m')
        assert.equal(world.state.get(ClusterVersion, { name: 'version' }, where), undefined)
      },
      { given: async (client) => void (await client.create(LogicalCluster, { metadata: { name }, spec: { template: 'root' } })) },
    )
  })
})
