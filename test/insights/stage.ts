import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
} from '@windlass/api'
import { launch, type Running, start } from '../hosted/processes.ts'
import { Recorder } from '../hosted/recorder.ts'
import { install } from '../support/install.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { newestKubectl } from '../support/newest-kubectl.ts'
import { type RunningServer, startServer, windlass } from '../support/windlass.ts'
import type { Definition } from '../upstream-crds/definitions.ts'

/** An hour takes 18 seconds: an operator may be degraded for one and a half before anybody is told. */
const speed = 200

/** What the cluster runs at first. */
export const firstVersion = '4.19.10'

/** Written by us, and by what is simulated. */
export const insightKinds = [
  ClusterVersionProgressInsight,
  ClusterOperatorProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
] as const
export const recordedKinds = [...insightKinds, ClusterVersion, ClusterOperator, MachineConfigPool] as const

const controllers = 'cluster-version-insight,cluster-operator-insight,machine-config-pool-insight,node-insight'

/** How a command of ours ended. */
export interface Ended {
  readonly status: number | null
  readonly text: string
}

/** A classic cluster: API server, what is simulated of it, and the controllers of insights, each in a process of its own; and its users' kubectl. */
export class Stage {
  readonly server: RunningServer
  readonly k: Kubectl
  readonly recorder: Recorder
  readonly #simulator: Running
  readonly #operatorArgs: readonly string[]
  #operator: ReturnType<typeof launch>
  /** Everything that operators of all lives have logged. */
  #log = ''

  private constructor(server: RunningServer, k: Kubectl, recorder: Recorder, simulator: Running, operatorArgs: readonly string[]) {
    this.server = server
    this.k = k
    this.recorder = recorder
    this.#simulator = simulator
    this.#operatorArgs = operatorArgs
    this.#operator = launch(operatorArgs)
  }

  static async set(definitions: readonly Definition[]): Promise<Stage> {
    const server = await startServer({ args: ['--memory'] })
    const common = ['--kubeconfig', server.kubeconfig, '--log-level', 'warn']
    let simulator: Running | undefined
    try {
      await install(server, definitions)
      simulator = await start(['simulator', ...common, '--standalone', firstVersion, '--speed', String(speed)])
      const recorder = await Recorder.start(server, recordedKinds)
      const operatorArgs = ['operator', ...common, '--controllers', controllers, '--simulated-speed', String(speed)]
      const stage = new Stage(server, (await newestKubectl(server.directory))(server.kubeconfig), recorder, simulator, operatorArgs)
      await stage.#operator.ready
      return stage
    } catch (error) {
      await simulator?.kill()
      await server.kill()
      throw error
    }
  }

  /** Ends the operator as a power cut would, and starts another; resolves when that one runs. */
  async killOperator(): Promise<void> {
    await this.#operator.kill()
    this.#log += this.#operator.log()
    this.#operator = launch(this.#operatorArgs)
    await this.#operator.ready
  }

  /** What `windlass status` says. */
  async status(...args: readonly string[]): Promise<Ended> {
    const child = spawn(process.execPath, [windlass, 'status', '--kubeconfig', this.server.kubeconfig, ...args])
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const [status] = (await once(child, 'close')) as [number | null]
    return { status, text }
  }

  /** What operator and simulator complained about so far. */
  complaints(): readonly string[] {
    return `${this.#log}${this.#operator.log()}${this.#simulator.log()}`.split('\n').filter((line) => line !== '')
  }

  /** Ends the processes as their users would. Gives how operator and simulator ended. */
  async clear(): Promise<readonly (number | null)[]> {
    this.recorder.close()
    const ends = await Promise.all([this.#operator.stop(), this.#simulator.stop()])
    await this.server.stop()
    rmSync(this.server.directory, { recursive: true, force: true })
    return ends
  }
}
