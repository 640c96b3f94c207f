import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HostedCluster, NodePool } from '@windlass/api'
import { cpuOf } from '../../../test/support/cpu.ts'
import { credentialsIn, windlass } from '../../../test/support/windlass.ts'
import { expect, type Generator, LoadClient } from '../../load/index.ts'
import { Pace } from './pace.ts'

export interface LaptopOptions {
  readonly clusters: number
  readonly speed: number
  /** Of each cluster; as in the sample fleet unless told. */
  readonly pools?: number
  /** Where it keeps its data. */
  readonly directory: string
  readonly nodeArguments: readonly string[]
  /** What looks at the machine meanwhile. */
  readonly generator: Generator
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

/** What people ask for. */
type Asked = HostedCluster | NodePool

/** Milliseconds: thousands of clusters take an hour, and somebody may be waiting. */
const betweenWords = 60_000

const group = '/apis/hypershift.openshift.io/v1beta1'

/** `windlass up` in a process of its own: server, controllers, simulator and fleet, as people run it. */
export class Laptop {
  readonly #child: ChildProcess
  readonly #client: LoadClient
  readonly #clusters: number
  readonly #started: number
  /** Of the machine, while something is waited for. */
  readonly pace: Pace

  private constructor(child: ChildProcess, client: LoadClient, pace: Pace, clusters: number, started: number) {
    this.#child = child
    this.#client = client
    this.pace = pace
    this.#clusters = clusters
    this.#started = started
  }

  static async start({ clusters, pools, speed, directory, nodeArguments, generator }: LaptopOptions): Promise<Laptop> {
    const started = performance.now()
    const kubeconfig = join(directory, 'kubeconfig')
    const flags = { clusters, speed, port: 0, 'data-dir': join(directory, 'data'), kubeconfig, ...(pools === undefined ? {} : { pools }) }
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)])
    const child = spawn(process.execPath, [...nodeArguments, windlass, 'up', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(failed)])
    child.stdout.resume()
    return new Laptop(child, new LoadClient(credentialsIn(kubeconfig), 16), new Pace(generator), clusters, started)
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
    return this.#list(HostedCluster.plural)
  }

  async pools(): Promise<readonly NodePool[]> {
    return this.#list(NodePool.plural)
  }

  async patch(cluster: HostedCluster, patch: object): Promise<void> {
    await this.#patch(HostedCluster.plural, cluster, patch)
  }

  async patchPool(pool: NodePool, patch: object): Promise<void> {
    await this.#patch(NodePool.plural, pool, patch)
  }

  async createPool(pool: Pick<NodePool, 'metadata' | 'spec'>): Promise<void> {
    const path = `${group}/namespaces/${pool.metadata.namespace ?? ''}/${NodePool.plural}`
    const body = JSON.stringify({ apiVersion: NodePool.apiVersion, kind: NodePool.kind, ...pool })
    await expect(201, this.#client.send({ method: 'POST', path, body }))
  }

  /** Waits until all clusters are there and all of them are as they should be; says in the end how far it got. */
  async until(what: string, isSo: (cluster: HostedCluster) => boolean): Promise<void> {
    await this.#until('clusters', () => this.list(), this.#clusters, what, isSo)
  }

  /** The same for so many pools. */
  async untilPools(count: number, what: string, isSo: (pool: NodePool) => boolean): Promise<void> {
    await this.#until('pools', () => this.pools(), count, what, isSo)
  }

  async #until<T>(
    kind: string,
    list: () => Promise<readonly T[]>,
    count: number,
    what: string,
    isSo: (object: T) => boolean,
  ): Promise<void> {
    const limit = performance.now() + 600_000 + this.#clusters * 10_000
    let told = performance.now()
    for (;;) {
      await this.pace.look()
      const all = await list()
      const done = all.filter(isSo).length
      if (all.length === count && done === count) return
      if (performance.now() > limit) throw new Error(`waited for ${count} ${kind} to be ${what}: ${done} are`)
      if (performance.now() > told + betweenWords) {
        told = performance.now()
        process.stderr.write(`  ${done} of ${count} ${kind} are ${what}\n`)
      }
      // Looking all the time would keep it from getting there.
      await sleep(Math.max(500, count * 10))
    }
  }

  async stop(): Promise<void> {
    await this.#client.close()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }

  async #list<T extends Asked>(plural: string): Promise<readonly T[]> {
    const { items } = JSON.parse(await this.#read(`${group}/${plural}`)) as { readonly items: readonly T[] }
    return items
  }

  async #patch(plural: string, { metadata: { namespace = '', name = '' } }: Asked, patch: object): Promise<void> {
    const path = `${group}/namespaces/${namespace}/${plural}/${name}`
    await expect(200, this.#client.send({ method: 'PATCH', path, body: JSON.stringify(patch), type: 'application/merge-patch+json' }))
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
