import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, machineApi, UpgradeConfig } from '@windlass/api'
import { formatTime, systemClock as clock } from '@windlass/core'
import type { Client } from '@windlass/kube'
import type { RunningOcm } from '@windlass/simulator'
import { defaultNamespace, entryOf, type HistoryEntry, MachineLabel, upgradeConfigName } from '@windlass/upgrades'
import { request } from 'undici'
import { launchOperator, type OperatorProcess } from '../operator/operator-process.ts'
import { type CleanUps, type Monitoring, startMonitoring } from '../outside/monitoring.ts'
import { clientFor } from '../outside/stage.ts'
import { makeCertificate } from '../release-registry/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { type Checkpoint, guard, type GuardedOptions } from '../support/guarded.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { newestKubectl } from '../support/newest-kubectl.ts'
import { until } from '../support/until.ts'
import { type RunningServer, startServer } from '../support/windlass.ts'
import { startCluster } from './cluster.ts'
import { Lives } from './lives.ts'
import { operatorKubeconfig } from './rights.ts'

/** An upgrade takes an hour and a half on a real cluster. */
const speed = 300
export const minute = 60_000 / speed

const controllers = 'upgrade-config,node-keeper,machine-config-pool,upgrade-config-manager'
const ref = { namespace: defaultNamespace, name: upgradeConfigName } as const

/** What a run of the operator wants to be told besides where OCM is. Limits are wide: a busy machine must not change the story. */
export interface StoryOptions {
  readonly config: (ocmUrl: string) => string
  /** Whether OCM is its agent in the cluster. */
  readonly asksAgent?: boolean
  /** Who looks at everything that the operator asks of anybody, by whom it asks. Nobody unless told, and then the operator asks them directly. */
  readonly checkpointOf?: (service: Service) => Checkpoint
}

/** Whom the operator talks to. */
export type Service = 'api' | 'ocm' | 'prometheus' | 'alertmanager'

/** Our own alerts, as managed clusters have them: a gauge that is stuck at 1 would block the end of an upgrade. */
const rules = ['controlplane_timeout', 'worker_timeout', 'node_drain_timeout'].map((gauge) => ({
  alert: `Upgrade_${gauge}`,
  expr: `avg_over_time(upgradeoperator_${gauge}[2s]) == 1`,
  labels: { severity: 'critical', namespace: 'openshift-monitoring' },
}))

/** What makes the operator take OCM for its agent in the cluster: an address that has this in it. */
const agentPrefix = '/ocm-agent.openshift-ocm-agent-operator.svc.cluster.local:8081'

/**
 * A whole laptop's worth of a managed upgrade: API server, operator, Prometheus and Alertmanager in processes of their own, the rest simulated. The operator has the
 * rights that people give it, and no others.
 */
export class Stage {
  readonly server: RunningServer
  readonly client: Client
  readonly k: Kubectl
  readonly monitoring: Monitoring
  readonly #lives: Lives
  readonly #launch: () => ReturnType<typeof launchOperator>
  readonly #cleanUps: CleanUps

  private constructor(
    parts: Pick<Stage, 'server' | 'client' | 'k' | 'monitoring'>,
    lives: Lives,
    launch: () => ReturnType<typeof launchOperator>,
    cleanUps: CleanUps,
  ) {
    this.server = parts.server
    this.client = parts.client
    this.k = parts.k
    this.monitoring = parts.monitoring
    this.#lives = lives
    this.#launch = launch
    this.#cleanUps = cleanUps
  }

  static async set({ config, asksAgent = false, checkpointOf }: StoryOptions): Promise<Stage> {
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
      const lives = await Lives.begin(asksAgent)
      cleanUps.push(() => lives.endOcm())
      const inFront = async (service: Service, options: GuardedOptions): Promise<string> => {
        const guarded = await guard({ ...options, ...(checkpointOf === undefined ? {} : { checkpoint: checkpointOf(service) }) })
        cleanUps.push(() => guarded.close())
        return guarded.url
      }
      const port = await freePort()
      const scraped = { targets: [`127.0.0.1:${port}`], rules }
      const watched = checkpointOf === undefined ? {} : { checkpointOf }
      const monitoring = await startMonitoring(directory, client, cleanUps, { ...scraped, ...watched })
      const isOcmGuarded = asksAgent || checkpointOf !== undefined
      const prefix = asksAgent ? agentPrefix : ''
      const ocmUrl = isOcmGuarded ? await inFront('ocm', { target: lives.ocm.url, prefix }) : lives.ocm.url
      cleanUps.push(await startCluster(client, config(ocmUrl), speed))
      const endpoints = Object.entries(monitoring.endpoints).flatMap(([service, url]) => ['--service-endpoint', `${service}=${url}`])
      const args = ['--controllers', controllers, '--simulated-speed', `${speed}`, '--metrics-port', `${port}`, ...endpoints]
      const k = (await newestKubectl(directory))(kubeconfig)
      const own = await operatorKubeconfig(server, k)
      const way = checkpointOf === undefined ? own : await guardedKubeconfig(server, own, (options) => inFront('api', options))
      const launch = () => launchOperator(way, [...args, '--log-level', 'warn'], { OSDK_FORCE_RUN_MODE: 'local' })
      const operator = launch()
      lives.operator = operator
      // Before anything that it talks to.
      cleanUps.push(() => lives.operator?.stop() ?? Promise.resolve())
      await operator.ready
      return new Stage({ server, client, k, monitoring }, lives, launch, cleanUps)
    } catch (error) {
      await cleanUpAll(cleanUps)
      throw error
    }
  }

  get ocm(): RunningOcm {
    return this.#lives.ocm
  }

  get operator(): OperatorProcess {
    return this.#lives.operator ?? assert.fail('the operator does not run')
  }

  /** Starts an operator in place of one that was killed. Does not wait for it to be ready: it may be killed again before. */
  relaunchOperator(): void {
    this.#lives.operator = this.#launch()
  }

  /** From now on nobody listens where OCM was. */
  closeOcm(): Promise<void> {
    return this.#lives.closeOcm()
  }

  /** OCM is back where it was, and remembers everything. */
  openOcm(): Promise<void> {
    return this.#lives.openOcm()
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

/** The same kubeconfig, by way of a guard. */
async function guardedKubeconfig(
  server: RunningServer,
  kubeconfig: string,
  inFront: (options: GuardedOptions) => Promise<string>,
): Promise<string> {
  const certificate = makeCertificate(server.directory)
  const url = await inFront({ target: server.server, ca: server.ca, certificate })
  const file = join(server.directory, 'guarded.kubeconfig')
  const text = readFileSync(kubeconfig, 'utf8').replaceAll(server.server, url)
  const authority = Buffer.from(certificate.certificate).toString('base64')
  writeFileSync(file, text.replaceAll(/certificate-authority-data: .*/g, `certificate-authority-data: ${authority}`))
  return file
}

async function cleanUpAll(cleanUps: CleanUps): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
}
