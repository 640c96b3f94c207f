import { capi, NodePool, Secret } from '@windlass/api'
import { type Condition, findCondition, isTrue } from '@windlass/core'
import { homeOf, namespace } from '../hosted/cluster.ts'
import type { TestRelease } from '../hosted/releases.ts'
import type { Stage } from '../hosted/stage.ts'
import type { Kubectl } from '../support/kubectl.ts'

const own = (name: string): string => `hypershift.openshift.io/${name}`

/** A node pool as the people see it who asked for it: they type with kubectl, and look at what they are told. */
export class AskedPool {
  readonly name: string
  readonly home: string
  readonly #stage: Stage

  constructor(stage: Stage, cluster: string, name: string) {
    this.#stage = stage
    this.name = name
    this.home = homeOf(cluster)
  }

  get k(): Kubectl {
    return this.#stage.k
  }

  get object(): NodePool | undefined {
    return this.#stage.recorder.state.get(NodePool, { namespace, name: this.name })
  }

  get deployment(): capi.MachineDeployment | undefined {
    return this.#stage.recorder.state.get(capi.MachineDeployment, { namespace: this.home, name: this.name })
  }

  get machineSet(): capi.MachineSet | undefined {
    return this.#stage.recorder.state.get(capi.MachineSet, { namespace: this.home, name: this.name })
  }

  get machines(): readonly capi.Machine[] {
    return this.#of(this.#stage.recorder.state.list(capi.Machine, { namespace: this.home }))
  }

  get healthChecks(): readonly capi.MachineHealthCheck[] {
    return this.#of(this.#stage.recorder.state.list(capi.MachineHealthCheck, { namespace: this.home }))
  }

  /** Its Secrets for machines, by name. */
  get secrets(): readonly Secret[] {
    return this.#of(this.#stage.recorder.state.list(Secret, { namespace: this.home })).toSorted((a, b) =>
      (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
    )
  }

  #of<T extends { readonly metadata: capi.Machine['metadata'] }>(objects: readonly T[]): readonly T[] {
    return objects.filter(({ metadata }) => metadata.annotations?.[own('nodePool')] === `${namespace}/${this.name}`)
  }

  /** The hash of what its nodes were last made from, all of them. */
  get hash(): string {
    return this.object?.metadata.annotations?.[own('nodePoolCurrentConfigVersion')] ?? ''
  }

  /** `4.19.6: 3`: what the nodes run, by what the pool says of those that are ready. */
  get nodes(): readonly string[] {
    return (this.object?.status?.nodesInfo?.nodeVersions ?? []).map(({ ocpVersion, readyNodeCount }) => `${ocpVersion}: ${readyNodeCount}`)
  }

  token(hash: string): Secret | undefined {
    return this.secrets.find(({ metadata }) => metadata.name === `token-${this.name}-${hash}`)
  }

  condition(type: string): Condition | undefined {
    return findCondition(this.object?.status?.conditions, type)
  }

  /** `True`, or `False/NotFound`. */
  said(type: string): string {
    const { status = '-', reason = '' } = this.condition(type) ?? {}
    return reason === 'AsExpected' || reason === '' ? status : `${status}/${reason}`
  }

  async patch(change: object): Promise<void> {
    await this.k.ok`-n ${namespace} patch np ${this.name} --type=merge -p ${change}`
  }

  upgrade({ pullspec }: TestRelease): Promise<void> {
    return this.patch({ spec: { release: { image: pullspec } } })
  }

  /** Lets something go wrong with its machines from now on, in the words of the simulator; nothing any more without words. */
  async fail(words?: string): Promise<void> {
    await this.annotate(`simulator.windlass.dev/fail${words === undefined ? '-' : `=${words}`}`)
  }

  async annotate(annotation: string): Promise<void> {
    await this.k.ok`-n ${namespace} annotate --overwrite np ${this.name} ${annotation}`
  }

  until(what: string, holds: () => boolean): Promise<void> {
    return this.#stage.recorder.until(`${this.name} ${what}`, holds, () => this.describe(), 60_000)
  }

  /** So many nodes, all of this version, and nothing more to do. */
  isAt({ version }: TestRelease, replicas: number): boolean {
    const isQuiet = ['UpdatingVersion', 'UpdatingConfig', 'UpdatingPlatformMachineTemplate'].every((type) => this.said(type) === 'False')
    const { status } = this.object ?? {}
    return (
      isQuiet &&
      status?.version === version &&
      status.replicas === replicas &&
      this.nodes.join() === `${version}: ${replicas}` &&
      this.machines.length === replicas &&
      isTrue(status.conditions, 'Ready')
    )
  }

  async untilAt(release: TestRelease, replicas: number): Promise<void> {
    await this.until(`to be at ${release.version} with ${replicas} nodes`, () => this.isAt(release, replicas))
  }

  /** For people who look at a failed test. */
  describe(): string {
    const lines = (conditions: readonly { type: string; status: string; reason?: string; message?: string }[] | undefined) =>
      (conditions ?? []).map(({ type, status, reason = '', message = '' }) => `    ${type} ${status} ${reason} ${message.trim()}`)
    const { status, metadata } = this.object ?? {}
    return [
      `NodePool ${this.name} ${status?.version ?? ''} ${status?.replicas ?? ''} ${this.nodes.join(', ')} ${JSON.stringify(metadata?.annotations)}`,
      ...lines(status?.conditions),
      `MachineDeployment ${JSON.stringify(this.deployment?.status)}`,
      ...this.machines.flatMap((each) => [`  Machine ${each.metadata.name} ${each.status?.phase}`, ...lines(each.status?.conditions)]),
      ...this.secrets.map((each) => `  Secret ${each.metadata.name} ${JSON.stringify(each.metadata.annotations)}`),
      ...this.#stage.complaints().slice(-20),
    ].join('\n')
  }
}
