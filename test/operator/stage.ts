import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, client } from '../support/client.ts'
import { type RunningServer, startServer } from '../support/windlass.ts'
import { kubeconfigThrough, type OperatorProcess, startOperator } from './operator-process.ts'
import { type Passed, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'

const clusters = '/apis/windlass.dev/v1alpha1/logicalclusters'

/** An operator and its own way to the server, which remembers what it did, in all its lives. */
export class Replica {
  readonly proxy: RecordingProxy
  readonly #kubeconfig: string
  readonly #args: readonly string[]
  #operator: OperatorProcess | undefined

  constructor(proxy: RecordingProxy, kubeconfig: string, args: readonly string[]) {
    this.proxy = proxy
    this.#kubeconfig = kubeconfig
    this.#args = args
  }

  get operator(): OperatorProcess {
    if (this.#operator === undefined) throw new Error('this replica was never started')
    return this.#operator
  }

  async start(): Promise<this> {
    this.#operator = await startOperator(this.#kubeconfig, this.#args)
    return this
  }

  /** The first thing it did after that moment. */
  actAfter(moment: number): Passed | undefined {
    return this.proxy.acts().find(({ at }) => at > moment)
  }

  get lastAct(): number {
    return this.proxy.acts().at(-1)?.at ?? Number.NEGATIVE_INFINITY
  }

  async close(): Promise<void> {
    await this.#operator?.kill()
    await this.proxy.close()
  }
}

/** A server with two logical clusters: `quiet`, and `busy`, which can be made so. */
export class Stage {
  readonly server: RunningServer
  readonly api: Client
  readonly #replicas: Replica[] = []
  #trouble: Promise<void> | undefined
  #isOver = false

  constructor(server: RunningServer) {
    this.server = server
    this.api = client(server)
  }

  static async set(): Promise<Stage> {
    // Plain HTTP, so that a proxy can see what goes through it.
    const stage = new Stage(await startServer({ args: ['--memory', '--plain-http'] }))
    for (const name of ['busy', 'quiet']) {
      await stage.api.create(clusters, { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name }, spec: {} })
    }
    return stage
  }

  async replica(...args: string[]): Promise<Replica> {
    const proxy = await startRecordingProxy(this.server.server)
    const replica = new Replica(proxy, kubeconfigThrough(this.server, proxy.url, `replica-${this.#replicas.length}`), [
      '--controllers=logical-cluster-status',
      ...args,
    ])
    this.#replicas.push(replica)
    return replica
  }

  /** From now on there is always something to do: a status that somebody keeps spoiling. */
  makeTrouble(): void {
    this.#trouble = this.#spoilForEver()
  }

  spoil(name: string): Promise<unknown> {
    return this.api.merge(`${clusters}/${name}/status`, { status: { conditions: [] } })
  }

  annotate(name: string, value: string): Promise<unknown> {
    return this.api.merge(`${clusters}/${name}`, { metadata: { annotations: { note: value } } })
  }

  /** What the operator says of a cluster. */
  async usable(name: string): Promise<string | undefined> {
    const { status } = (await this.api.get(`${clusters}/${name}`)) as { status?: { conditions?: { type: string; status: string }[] } }
    return status?.conditions?.find(({ type }) => type === 'Usable')?.status
  }

  async #spoilForEver(): Promise<void> {
    while (!this.#isOver) {
      await this.spoil('busy')
      await sleep(40)
    }
  }

  async clear(): Promise<void> {
    this.#isOver = true
    await this.#trouble
    await Promise.all(this.#replicas.map((replica) => replica.close()))
    this.api.close()
    await this.server.stop()
    rmSync(this.server.directory, { recursive: true, force: true })
  }
}
