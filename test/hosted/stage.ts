import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource } from '@windlass/api'
import { ControlPlaneComponent, CronJob, Deployment, HostedCluster, HostedControlPlane, Job, StatefulSet } from '@windlass/api'
import { freePort } from '../support/free-port.ts'
import { install } from '../support/install.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { newestKubectl } from '../support/newest-kubectl.ts'
import { type RunningServer, startServer } from '../support/windlass.ts'
import type { Definition } from '../upstream-crds/definitions.ts'
import { launch, type Running, start } from './processes.ts'
import { Recorder } from './recorder.ts'

/** An install takes a minute or two on a real cluster, and seconds here. What it takes is work of the processes, not time that passes. */
const speed = 1000

/** What is written to these is recorded. */
export const recordedKinds = [HostedCluster, HostedControlPlane, ControlPlaneComponent, Deployment, StatefulSet, Job, CronJob] as const

export interface StageOptions {
  readonly definitions: readonly Definition[]
  readonly seed: string
  /** The releases there are; those that come with Windlass unless told. */
  readonly catalogue?: string
  /** With node pools: what is written to these is recorded instead, and machines are served. */
  readonly pools?: readonly Resource[]
}

/** A management cluster: API server, simulator and operator, each in a process of its own, and a kubectl that its users have. */
export class Stage {
  readonly server: RunningServer
  readonly k: Kubectl
  readonly recorder: Recorder
  readonly simulator: Running
  /** Where machines are served, if they are. */
  readonly ignitionPort: number | undefined
  /** Everything that operators of all lives have logged. */
  #log = ''
  #operator: ReturnType<typeof launch>
  readonly #kubectlWith: (kubeconfig: string) => Kubectl
  readonly #operatorArgs: readonly string[]

  private constructor(
    parts: {
      readonly server: RunningServer
      readonly recorder: Recorder
      readonly simulator: Running
      readonly ignitionPort: number | undefined
    },
    operatorArgs: readonly string[],
    kubectlWith: (kubeconfig: string) => Kubectl,
  ) {
    this.server = parts.server
    this.recorder = parts.recorder
    this.simulator = parts.simulator
    this.ignitionPort = parts.ignitionPort
    this.#kubectlWith = kubectlWith
    this.#operatorArgs = operatorArgs
    this.#operator = launch(operatorArgs)
    this.k = kubectlWith(parts.server.kubeconfig)
  }

  static async set({ definitions, seed, catalogue, pools }: StageOptions): Promise<Stage> {
    const server = await startServer({ args: ['--memory'] })
    const file = join(server.directory, 'releases.yaml')
    if (catalogue !== undefined) writeFileSync(file, catalogue)
    const releases = catalogue === undefined ? 'sample' : file
    const common = ['--kubeconfig', server.kubeconfig, '--release-catalogue', releases, '--log-level', 'warn']
    // Machines must find the operator again after it was killed: it has the same port in every life.
    const port = pools === undefined ? undefined : await freePort()
    const [serving, asking] =
      port === undefined
        ? [[], []]
        : [
            ['--ignition-port', `${port}`],
            ['--ignition-at', `127.0.0.1:${port}`],
          ]
    let simulator: Running | undefined
    try {
      await install(server, definitions)
      simulator = await start(['simulator', ...common, ...asking, '--speed', String(speed), '--seed', seed])
      const recorder = await Recorder.start(server, pools ?? recordedKinds)
      const stage = new Stage(
        { server, recorder, simulator, ignitionPort: port },
        ['operator', ...common, ...serving],
        await newestKubectl(server.directory),
      )
      await stage.operatorIsReady()
      return stage
    } catch (error) {
      await simulator?.kill()
      await server.kill()
      throw error
    }
  }

  /** kubectl for another cluster. */
  kubectlFor(name: string, kubeconfig: string): Kubectl {
    const file = join(this.server.directory, `${name}.kubeconfig`)
    writeFileSync(file, kubeconfig, { mode: 0o600 })
    return this.#kubectlWith(file)
  }

  operatorIsReady(): Promise<void> {
    return this.#operator.ready
  }

  /** Ends the operator as a power cut would, and starts another; does not wait until that one is ready. */
  async killOperator(): Promise<void> {
    await this.#operator.kill()
    this.#log += this.#operator.log()
    this.#operator = launch(this.#operatorArgs)
  }

  /** What operator and simulator complained about so far. That a namespace goes reaches some later than others: what was too late for it is no complaint. */
  complaints(): readonly string[] {
    const lines = `${this.#log}${this.#operator.log()}${this.simulator.log()}`.split('\n')
    return lines.filter((line) => line !== '' && !line.includes('because it is being terminated'))
  }

  /** Ends the processes as their users would. Gives how operator and simulator ended. */
  async clear(): Promise<readonly (number | null)[]> {
    this.recorder.close()
    const ends = await Promise.all([this.#operator.stop(), this.simulator.stop()])
    await this.server.stop()
    rmSync(this.server.directory, { recursive: true, force: true })
    return ends
  }
}
