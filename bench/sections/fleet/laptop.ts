import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostedCluster } from '@windlass/api'
import { cpuOf } from '../../../test/support/cpu.ts'
import { credentialsIn, windlass } from '../../../test/support/windlass.ts'
import { expect, LoadClient } from '../../load/index.ts'

export interface LaptopOptions {
  readonly clusters: number
  readonly speed: number
  /** Where it keeps its data. */
  readonly directory: string
  readonly nodeArguments: readonly string[]
}

/** What a fleet has cost so far. */
export interface Cost {
  /** Milliseconds since it was started. */
  readonly wall: number
  /** Milliseconds of all threads. */
  readonly cpu: number
  /** Requests that change something, and did. */
  readonly writes: number
  readonly objects: number
}

const collection = '/apis/hypershift.openshift.io/v1beta1/hostedclusters'

/** `windlass up` in a process of its own: server, controllers, simulator and fleet, as people run it. */
export class Laptop {
  readonly #child: ChildProcess
  readonly #client: LoadClient
  readonly #clusters: number
  readonly #started: number

  private constructor(child: ChildProcess, client: LoadClient, clusters: number, started: number) {
    this.#child = child
    this.#client = client
    this.#clusters = clusters
    this.#started = started
  }

  static async start({ clusters, speed, directory, nodeArguments }: LaptopOptions): Promise<Laptop> {
    const started = performance.now()
    const kubeconfig = join(directory, 'kubeconfig')
    const flags = { clusters, speed, port: 0, 'data-dir': join(directory, 'data'), kubeconfig }
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)])
    const child = spawn(process.execPath, [...nodeArguments, windlass, 'up', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(failed)])
    child.stdout.resume()
    return new Laptop(child, new LoadClient(credentialsIn(kubeconfig), 16), clusters, started)
  }

  async cost(): Promise<Cost> {
    const metrics = await this.#read('/metrics')
    const cpu = cpuOf(this.#child)
    return {
      wall: performance.now() - this.#started,
      cpu,
      writes: sumOf(metrics, /^apiserver_request_total\{(?=[^}]*verb="(?:CREATE|UPDATE|PATCH|APPLY|DELETE)")(?=[^}]*code="2)/),
      objects: sumOf(metrics, /^apiserver_storage_objects\{/),
    }
  }

  /** The most that was resident at any time, in MB. */
  peakMemory(): number {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1]
    return Number(peak) / 1024
  }

  async list(): Promise<readonly HostedCluster[]> {
    const { items } = JSON.parse(await this.#read(collection)) as { readonly items: readonly HostedCluster[] }
    return items
  }

  /** Of one control plane: the objects that are written most. */
  async deployments(): Promise<readonly object[]> {
    const [cluster] = await this.list()
    const { namespace = '', name = '' } = cluster?.metadata ?? {}
    const { items } = JSON.parse(await this.#read(`/apis/apps/v1/namespaces/${namespace}-${name}/deployments`)) as {
      readonly items: readonly object[]
    }
    return items
  }

  async patch({ metadata: { namespace = '', name = '' } }: HostedCluster, patch: object): Promise<void> {
    const path = `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/hostedclusters/${name}`
    await expect(200, this.#client.send({ method: 'PATCH', path, body: JSON.stringify(patch), type: 'application/merge-patch+json' }))
  }

  /** Waits until all clusters are there and all of them are as they should be; says in the end how far it got. */
  async until(what: string, isSo: (cluster: HostedCluster) => boolean): Promise<void> {
    const limit = performance.now() + 600_000 + this.#clusters * 10_000
    for (;;) {
      const all = await this.list()
      const done = all.filter(isSo).length
      if (all.length === this.#clusters && done === this.#clusters) return
      if (performance.now() > limit) throw new Error(`waited for ${this.#clusters} clusters to be ${what}: ${done} are`)
      // Looking all the time would keep it from getting there.
      await sleep(Math.max(500, this.#clusters * 10))
    }
  }

  async stop(): Promise<void> {
    await this.#client.close()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }

  async #read(path: string): Promise<string> {
    return (await expect(200, this.#client.send({ method: 'GET', path, keepsText: true }))).text
  }
}

function failed(): never {
  throw new Error('windlass up has ended before it was ready')
}

function sumOf(metrics: string, isWanted: RegExp): number {
  let sum = 0
  for (const line of metrics.split('\n')) if (isWanted.test(line)) sum += Number(line.slice(line.lastIndexOf(' ')))
  return sum
}
