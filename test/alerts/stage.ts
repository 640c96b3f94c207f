import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { launch } from '../hosted/processes.ts'
import type { TestRelease } from '../hosted/releases.ts'
import { freePort } from '../support/free-port.ts'
import { install } from '../support/install.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { newestKubectl } from '../support/newest-kubectl.ts'
import { type RunningPrometheus, startPrometheus } from '../support/prometheus.ts'
import { until } from '../support/until.ts'
import { type RunningServer, startServer } from '../support/windlass.ts'
import { ownDefinitions } from '../hosted/story.ts'
import { quickened, type Rule, shippedGroups } from './rules.ts'

/** What clusters and rules agree on: an hour is a quarter of a minute, which is longer than it takes to install a small cluster. */
const speed = 240
/** What is simulated has nothing to wait for besides. */
const simulatorSpeed = 1000

/** Of the sample that comes with Windlass. */
const release = (version: string): TestRelease => {
  const pullspec = `example.com/ocp/release:${version}-x86_64`
  return { version, pullspec, image: pullspec }
}
export const before = release('4.19.12')
export const next = release('4.19.15')
/** Two minors below, where one is allowed. */
export const old = release('4.17.20')

const upgradeControllers = 'upgrade-config,node-keeper,machine-config-pool,upgrade-config-manager'

type Running = ReturnType<typeof launch>

interface Parts {
  readonly server: RunningServer
  readonly k: Kubectl
  readonly prometheus: RunningPrometheus
  readonly endpoints: Readonly<Record<'hosted' | 'upgrades' | 'collector', string>>
  readonly running: readonly Running[]
  readonly launchUpgrades: () => Running
}

/** A small fleet and a classic cluster, their operators, and a real Prometheus that scrapes them with the rules that are shipped. */
export class AlertStage {
  readonly k: Kubectl
  readonly #parts: Parts
  #upgrades: Running

  private constructor(parts: Parts, upgrades: Running) {
    this.k = parts.k
    this.#parts = parts
    this.#upgrades = upgrades
  }

  static async set(): Promise<AlertStage> {
    const server = await startServer({ args: ['--memory'] })
    const running: Running[] = []
    try {
      await install(server, ownDefinitions())
      const ports = { hosted: await freePort(), upgrades: await freePort(), collector: await freePort(), ignition: await freePort() }
      const common = ['--kubeconfig', server.kubeconfig, '--log-level', 'warn']
      // Managed upgrades have to be told that this is a rehearsal.
      const launched = (...args: readonly string[]): Running => launch([...args, ...common], { OSDK_FORCE_RUN_MODE: 'local' })
      const start = (one: Running): Promise<void> => {
        running.push(one)
        return one.ready
      }
      const simulated = ['--speed', String(simulatorSpeed), '--release-catalogue', 'sample', '--standalone', before.version]
      const operator = ['operator', '--simulated-speed', String(speed), '--leader-elect']
      const hosted = [`--metrics-port=${ports.hosted}`, `--ignition-port=${ports.ignition}`, '--release-catalogue', 'sample']
      const upgrading = [`--metrics-port=${ports.upgrades}`, `--collector-port=${ports.collector}`, '--controllers', upgradeControllers]
      const launchUpgrades = (): Running => launched(...operator, '--lease-name=managed-upgrade-operator-lock', ...upgrading)
      await start(launched('simulator', ...simulated, '--ignition-at', `127.0.0.1:${ports.ignition}`))
      const upgrades = launchUpgrades()
      await Promise.all([start(launched(...operator, '--lease-name=windlass-hosted', ...hosted)), start(upgrades)])
      const at = (port: number): string => `127.0.0.1:${port}`
      const prometheus = await startPrometheus({
        folder: join(server.directory, 'prometheus'),
        targets: [ports.hosted, ports.upgrades, ports.collector].map(at),
        rules: quickened(shippedGroups(), speed).flatMap(({ rules }): readonly Rule[] => rules),
        interval: '1s',
      })
      const endpoints = {
        hosted: `http://${at(ports.hosted)}/metrics`,
        upgrades: `http://${at(ports.upgrades)}/metrics`,
        collector: `http://${at(ports.collector)}/`,
      }
      const k = (await newestKubectl(server.directory))(server.kubeconfig)
      return new AlertStage({ server, k, prometheus, endpoints, running, launchUpgrades }, upgrades)
    } catch (error) {
      await Promise.all(running.map((each) => each.kill()))
      await server.kill()
      throw error
    }
  }

  async stopUpgrades(): Promise<void> {
    await this.#upgrades.stop()
  }

  async startUpgrades(): Promise<void> {
    this.#upgrades = this.#parts.launchUpgrades()
    await this.#upgrades.ready
  }

  /** `HostedClusterNotAvailable prod`: alerts that fire now, and what they are about. */
  async firing(): Promise<readonly string[]> {
    return this.#alerts('firing')
  }

  async #alerts(state: 'firing' | 'pending'): Promise<readonly string[]> {
    const alerts = await this.#parts.prometheus.query(`ALERTS{alertstate="${state}"}`)
    return alerts
      .map(({ alertname = '', name, upgradeconfig_name }) => [alertname, name ?? upgradeconfig_name ?? ''].join(' ').trim())
      .toSorted()
  }

  /** Until it is known and nobody is told yet. */
  async untilPending(alert: string): Promise<void> {
    await until(`${alert} to be pending`, async () => (await this.#alerts('pending')).includes(alert))
  }

  async untilFires(...alerts: readonly string[]): Promise<void> {
    await this.#until(`${alerts.join(', ')} to fire`, (firing) => alerts.every((alert) => firing.includes(alert)))
  }

  async untilResolved(...alerts: readonly string[]): Promise<void> {
    await this.#until(`${alerts.join(', ')} to be resolved`, (firing) => !alerts.some((alert) => firing.includes(alert)))
  }

  async #until(what: string, holds: (firing: readonly string[]) => boolean): Promise<void> {
    await until(what, async () => holds(await this.firing()), 60_000).catch(async (error: unknown) => {
      const log = [...this.#parts.running, this.#upgrades].map((each) => each.log().slice(-1500)).join('\n')
      throw new Error(`${String(error)}; firing: ${(await this.firing()).join(', ')}\n${log}`, { cause: error })
    })
  }

  async scrape(endpoint: keyof Parts['endpoints']): Promise<string> {
    const { body } = await request(this.#parts.endpoints[endpoint])
    return body.text()
  }

  async clear(): Promise<void> {
    const { prometheus, running, server } = this.#parts
    await prometheus.kill()
    await Promise.all([...running, this.#upgrades].map((each) => each.kill()))
    await server.stop()
    rmSync(server.directory, { recursive: true, force: true })
  }
}
