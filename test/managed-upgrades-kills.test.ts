import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { ClusterVersion, machineApi, MachineConfigPool, UpgradeConfig } from '@windlass/api'
import { entryOf, type HistoryEntry, MachineLabel, upgraderFor } from '@windlass/upgrades'
import { keepsItsRecord } from '../packages/upgrades/src/simulation/invariants.ts'
import { Recorder } from './hosted/recorder.ts'
import { type FileIntegrityOperator, startFileIntegrity } from './managed-upgrades/file-integrity.ts'
import { Kills } from './managed-upgrades/kills.ts'
import { Stage } from './managed-upgrades/stage.ts'
import { violationsSince } from './node-pools/record.ts'
import { until } from './support/until.ts'

const seed = process.env['KILL_SEED'] ?? '1'
/** Milliseconds that a busy machine may take for several steps and the kills in them. */
const patience = 200_000
const recorded = [UpgradeConfig, ClusterVersion, machineApi.MachineSet, machineApi.Machine]
/** Another minor: its channel has to be set too, and the cluster can object to it. */
const version = '4.19.1'

const expected = {
  OSD: { steps: 17, told: ['started', 'delayed'] },
  ARO: { steps: 14, told: ['started'] },
} as const
const logs = [
  'Cluster has encountered healthcheck failure during upgrade',
  'Cluster is starting with control and worker plane upgrade',
  'Cluster has finished control plane upgrade',
  'Cluster has finished with worker plane upgrade',
]

for (const type of ['OSD', 'ARO'] as const) {
  describe(`kill -9 of the operator in every step of an upgrade of ${type} (KILL_SEED=${seed})`, { timeout: 300_000 }, () => {
    const upgrader = upgraderFor(type)
    let stage: Stage
    let recorder: Recorder
    let kills: Kills
    let integrity: FileIntegrityOperator
    let dependency: Server
    let lives = 1

    before(async () => {
      kills = new Kills({
        seed,
        upgrader,
        kill: () => stage.operator.process.kill('SIGKILL'),
        commentOf: async (id) => (await stage.monitoring.alertmanager.silences()).find((silence) => silence.id === id)?.comment ?? '',
      })
      dependency = await serveDependency(kills)
      stage = await Stage.set({
        checkpointOf: (service) => kills.checkpointFor(service),
        config: (url) => `
upgradeType: ${type}
configManager: { source: OCM, ocmBaseUrl: "${url}", watchInterval: 10 }
upgradeWindow: { delayTrigger: 5, timeOut: 0 }
environment: { fedramp: true }
extDependencyAvailabilityChecks: { http: { timeout: 5, urls: ["http://127.0.0.1:${(dependency.address() as AddressInfo).port}"] } }
maintenance: { controlPlaneTime: 900, ignoredAlerts: { controlPlaneCriticals: [ClusterOperatorDown] } }
scale: { timeOut: 900 }
nodeDrain: { timeOut: 900, expectedNodeDrainTime: 8 }
featureGate: { enabled: [PreHealthCheck, ServiceLogNotification] }
`,
      })
      integrity = await startFileIntegrity(stage.client)
      recorder = await Recorder.start(stage.server, recorded)
    })
    after(async () => {
      recorder?.close()
      await integrity?.stop()
      await stage?.clear()
      dependency?.close()
      dependency?.closeAllConnections()
    })

    /** Not long after its end the UpgradeConfig goes, when OCM has noticed. */
    const hasEnded = (): boolean => (entry() ?? lastEntry())?.phase === 'Upgraded'

    const entry = (): HistoryEntry | undefined => {
      const [upgradeConfig] = recorder.state.list(UpgradeConfig)
      return upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)
    }

    /** What holds the upgrade up in some steps, so that it can be killed in them, goes once it was. */
    async function clearTheWay(): Promise<void> {
      const isOver = (...steps: readonly string[]): boolean =>
        !kills.left.some((death) => steps.some((step) => death.startsWith(`${step}:`)))
      const allowed = 'the upgrade not to be allowed and to be late'
      await stage.until(allowed, () => isOver('Delay check', 'Upgradeable check'), patience)
      await stage.k.ok`annotate clusterversion version ${'simulator.windlass.dev/fail-'}`
      await stage.until('alerts to be told', () => isOver('Pre-upgrade health check') && stage.told().includes(logs[0] ?? ''), patience)
      await stage.monitoring.prometheus.fire()
      const isWaiting = (): boolean =>
        (entry()?.conditions ?? []).some((each) => each.type === 'WorkerNodesUpgraded' && each.status === 'False')
      await stage.until('workers to be waited for', () => isOver('Worker silence') && isWaiting(), patience)
      await stage.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: false } })
    }

    async function killAndRestart(): Promise<void> {
      for (;;) {
        await stage.until(`a kill or the end; to come: ${kills.left.join('; ')}`, () => kills.isDead || hasEnded())
        if (!kills.isDead) return
        await stage.operator.exited()
        kills.revive()
        stage.relaunchOperator()
        lives++
      }
    }

    it('comes to its end', async () => {
      await stage.monitoring.prometheus.fire({ alertname: 'EtcdDown', labels: { severity: 'critical', namespace: 'openshift-etcd' } })
      await stage.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: true } })
      await stage.k.ok`annotate clusterversion version ${'simulator.windlass.dev/fail=not-upgradeable reason=AdminAckRequired'}`
      await stage.until('the cluster to object', async () => {
        const { status } = await stage.client.get(ClusterVersion, { name: 'version' })
        return status?.conditions?.some((condition) => condition.type === 'Upgradeable' && condition.status === 'False') === true
      })
      stage.schedule(version, 1)
      await Promise.all([killAndRestart(), clearTheWay()])
    })

    it(`was killed in each of the ${expected[type].steps} steps`, () => {
      assert.deepEqual(kills.left, [])
      const steps = upgrader.steps.map(({ name }) => name)
      assert.equal(steps.length, expected[type].steps)
      assert.deepEqual(new Set(kills.steps), new Set(steps))
      assert.equal(lives, kills.done.length + 1)
    })

    it('told OCM everything once', async () => {
      assert.deepEqual(stage.told(), [...expected[type].told, ...logs, 'completed'])
      await until('the UpgradeConfig to go', async () => (await stage.upgradeConfig()) === undefined)
      assert.equal(stage.ocm.ocm.memory.stateOf('p1')?.value, 'completed')
    })

    it('made each silence once, and ended all of them', async () => {
      const comments = await stage.everSilenced()
      assert.deepEqual(comments, [...new Set(comments)])
      assert.deepEqual(
        comments.filter((comment) => !comment.includes('worker node')),
        [
          `Silence for OSD control plane upgrade to version ${version}`,
          `Silence for critical alerts during OSD control plane upgrade to version ${version}`,
        ],
      )
      assert.ok(comments.some((comment) => comment.includes('worker node')))
      assert.deepEqual(await stage.silenced(), [])
    })

    it('added one set of machines, and took it away', async () => {
      for (const kind of [machineApi.MachineSet, machineApi.Machine]) {
        const extra = objectsOf(kind.plural).filter(({ metadata }) => metadata.labels?.[MachineLabel.upgrade] === 'true')
        assert.equal(new Set(extra.map(({ metadata }) => metadata.uid)).size, 3, kind.kind)
      }
      assert.deepEqual(await stage.extraSets(), [])
    })

    it('asked for the update once, and for new checksums of files once', () => {
      const asked = (objectsOf(ClusterVersion.plural) as readonly ClusterVersion[]).map(({ spec }) => spec.desiredUpdate?.version)
      assert.deepEqual(
        asked.filter((each, index) => index > 0 && each !== asked[index - 1]),
        [version],
      )
      assert.equal(integrity.reInits, type === 'OSD' ? 1 : 0)
    })

    it('left a record that is whole, and that only grew', () => {
      const {
        conditions = [],
        startTime,
        completeTime,
        workerStartTime,
        workerCompleteTime,
      } = entry() ?? lastEntry() ?? assert.fail('there was never an entry')
      assert.deepEqual(
        conditions.map(({ type: step, status }) => `${step} ${status}`).toReversed(),
        [...new Set(upgrader.steps.map((step) => step.type))].map((step) => `${step} True`),
      )
      assert.ok([startTime, completeTime, workerStartTime, workerCompleteTime].every((time) => time !== undefined))
      const times = conditions.map((condition) => condition.startTime ?? '').toReversed()
      assert.deepEqual(times, times.toSorted())
      assert.deepEqual(violationsSince(0, recorder.changes(), [keepsItsRecord]), [])
    })

    /** Every state of every object of a kind that was ever seen. */
    function objectsOf(
      plural: string,
    ): readonly { readonly metadata: { readonly uid?: string; readonly labels?: Readonly<Record<string, string>> } }[] {
      const changes = recorder.changes().filter(({ key }) => key.includes(`/${plural}/`))
      return changes.map(({ bytes }) => JSON.parse(bytes.toString()) as ReturnType<typeof objectsOf>[number])
    }

    function lastEntry(): HistoryEntry | undefined {
      const upgradeConfig = objectsOf(UpgradeConfig.plural).at(-1) as UpgradeConfig | undefined
      return upgradeConfig && entryOf(upgradeConfig)
    }
  })
}

/** Something that an upgrade depends on. */
async function serveDependency(kills: Kills): Promise<Server> {
  const checkpoint = kills.checkpointFor('dependency')
  const server = createServer((request, response) => {
    const passing = { method: request.method ?? '', path: request.url ?? '', body: '' }
    const answer = async (): Promise<void> => {
      const isOpen = (await checkpoint('before', passing)) && (await checkpoint('after', passing))
      if (isOpen) response.end()
      else response.destroy()
    }
    void answer()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
