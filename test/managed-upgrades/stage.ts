import { readFileSync, rmSync } from 'node:fs'
import { type JsonObject, machineApi, UpgradeConfig } from '@windlass/api'
import { formatTime, systemClock as clock } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { type RunningOcm, serveOcm, SimulatedOcm } from '@windlass/simulator'
import { defaultNamespace, entryOf, type HistoryEntry, MachineLabel, upgradeConfigName } from '@windlass/upgrades'
import { request } from 'undici'
import { type OperatorProcess, startOperator } from '../operator/operator-process.ts'
import { type CleanUps, type Monitoring, ocmToken, startMonitoring } from '../outside/monitoring.ts'
import { clientFor } from '../outside/stage.ts'
import { freePort } from '../support/free-port.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { newestKubectl } from '../support/newest-kubectl.ts'
import { until } from '../support/until.ts'
import { startServer } from '../support/windlass.ts'
import { clusterId, startCluster } from './cluster.ts'

/** An upgrade takes an hour and a half on a real cluster. */
const speed = 300
export const minute = 60_000 / speed

const controllers = 'upgrade-config,node-keeper,machine-config-pool,upgrade-config-manager'
const ref = { namespace: defaultNamespace, name: upgradeConfigName } as const

/** What a run of the operator wants to be told besides where OCM is. Limits are wide: a busy machine must not change the story. */
export interface StoryOptions {
  readonly config: (ocmUrl: string) => string
}

/** Our own alerts, as managed clusters have them: a gauge that is stuck at 1 would block the end of an upgrade. */
const rules = ['controlplane_timeout', 'worker_timeout', 'node_drain_timeout'].map((gauge) => ({
  alert: `Upgrade_${gauge}`,
  expr: `avg_over_time(upgradeoperator_${gauge}[2s]) == 1`,
  labels: { severity: 'critical', namespace: 'openshift-monitoring' },
}))

/** A whole laptop's worth of a managed upgrade: API server, operator, Prometheus and Alertmanager in processes of their own, the rest simulated. */
export class Stage {
  readonly client: Client
  readonly k: Kubectl
  readonly ocm: RunningOcm
  readonly monitoring: Monitoring
  readonly operator: OperatorProcess
  readonly #cleanUps: CleanUps

  private constructor(parts: Pick<Stage, 'client' | 'k' | 'ocm' | 'monitoring' | 'operator'>, cleanUps: CleanUps) {
    this.client = parts.client
    this.k = parts.k
    this.ocm = parts.ocm
    this.monitoring = parts.monitoring
    this.operator = parts.operator
    this.#cleanUps = cleanUps
  }

  static async set({ config }: StoryOptions): Promise<Stage> {
    const cleanUps: CleanUps = []
    try {
      const server = await startServer({ args: ['--memory'] })
      const { directory, kubeconfig } = server
      cleanUps.push(
        () => Promise.resolve(rmSync(directory, { recursive: true, force: true })),
        () => server.stop(),
      )
      const client = await clientFor(readFileSync(kubeconfig, 'utf8'))
      cleanUps.push(() => client.close())
      const ocm = await serveOcm({ ocm: new SimulatedOcm({ clock }), clock })
      cleanUps.push(() => ocm.close())
      const gracePeriod = { value: 60, unit: 'minutes' }
      ocm.ocm.memory.register({ id: 'c1', externalId: clusterId, token: ocmToken, version: '4.18.15', channelGroup: 'stable', gracePeriod })
      const port = await freePort()
      const monitoring = await startMonitoring(directory, client, cleanUps, { targets: [`127.0.0.1:${port}`], rules })
      cleanUps.push(await startCluster(client, config(ocm.url), speed))
      const endpoints = Object.entries(monitoring.endpoints).flatMap(([service, url]) => ['--service-endpoint', `${service}=${url}`])
      const args = ['--controllers', controllers, '--simulated-speed', `${speed}`, '--metrics-port', `${port}`, ...endpoints]
      const operator = await startOperator(kubeconfig, [...args, '--log-level', 'warn'], { OSDK_FORCE_RUN_MODE: 'local' })
      cleanUps.push(() => operator.stop())
      return new Stage({ client, k: (await newestKubectl(directory))(kubeconfig), ocm, monitoring, operator }, cleanUps)
    } catch (error) {
      await cleanUpAll(cleanUps)
      throw error
    }
  }

  clear(): Promise<void> {
    return cleanUpAll(this.#cleanUps)
  }

  /** An upgrade that OCM wants, in so many minutes. */
  schedule(version: string, inMinutes: number): void {
    this.ocm.ocm.memory.schedule({ id: 'p1', clusterId: 'c1', version, nextRun: formatTime(clock.now() + inMinutes * minute) })
  }

  upgradeConfig(): Promise<UpgradeConfig | undefined> {
    return this.client.find(UpgradeConfig, ref)
  }

  async entry(): Promise<HistoryEntry | undefined> {
    const found = await this.upgradeConfig()
    return found === undefined ? undefined : entryOf(found)
  }

  edit(spec: JsonObject): Promise<unknown> {
    return this.client.patch(UpgradeConfig, ref, { spec })
  }

  /** `True`, `False`, or undefined for a step that has not begun. */
  async step(type: string): Promise<{ readonly status: string; readonly message: string } | undefined> {
    const found = (await this.entry())?.conditions?.find((condition) => condition.type === type)
    return found === undefined ? undefined : { status: found.status, message: found.message ?? '' }
  }

  async isDone(type: string): Promise<boolean> {
    return (await this.step(type))?.status === 'True'
  }

  /** Waits until something is so; a failure says how the upgrade stands. */
  async until(what: string, condition: () => boolean | Promise<boolean>, limit = 60_000): Promise<void> {
    try {
      await until(what, condition, limit)
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${await this.#account()}`, { cause: error })
    }
  }

  untilDone(type: string): Promise<void> {
    return this.until(`${type} to be done`, () => this.isDone(type))
  }

  untilPhase(phase: string): Promise<void> {
    return this.until(`the phase ${phase}`, async () => (await this.entry())?.phase === phase)
  }

  /** Comments of the silences that are in force. */
  async silenced(): Promise<readonly string[]> {
    const all = await this.monitoring.alertmanager.silences()
    return all
      .filter(({ status }) => status.state !== 'expired')
      .map(({ comment }) => comment)
      .toSorted()
  }

  /** Every silence that there ever was. */
  async everSilenced(): Promise<readonly string[]> {
    return (await this.monitoring.alertmanager.silences()).map(({ comment }) => comment).toSorted()
  }

  /** What OCM was told: values of the policy's state, and summaries of service logs. */
  told(): readonly string[] {
    return this.ocm.ocm.memory.told.map((told) => (told.is === 'state' ? told.value : told.summary))
  }

  async extraSets(): Promise<readonly string[]> {
    const names: string[] = []
    const labelSelector = `${MachineLabel.upgrade}=true`
    for await (const { metadata } of this.client.list(machineApi.MachineSet, { labelSelector })) names.push(metadata.name ?? '')
    return names.toSorted()
  }

  /** The value of each series of a metric that the operator exposes, by its labels. */
  async metric(name: string): Promise<ReadonlyMap<string, number>> {
    const { body } = await request(this.operator.url.endsWith('/metrics') ? this.operator.url : `${this.operator.url}/metrics`)
    const lines = (await body.text()).split('\n').filter((line) => line.startsWith(`${name}{`))
    return new Map(lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  }

  async #account(): Promise<string> {
    const entry = await this.entry()
    const steps = (entry?.conditions ?? []).map(({ type, status, message }) => `  ${type} ${status}: ${message ?? ''}`)
    return [
      `phase ${entry?.phase ?? 'none'}`,
      ...steps,
      `silences: ${(await this.silenced()).join(', ')}`,
      `told: ${this.told().join(', ')}`,
      `log: ${this.operator.log().slice(-3000)}`,
    ].join('\n')
  }
}

async function cleanUpAll(cleanUps: CleanUps): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
}
