import { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@windlass/api'
import type { Condition } from '@windlass/core'
import { findCondition } from '@windlass/core'
import type { Kubectl } from '../support/kubectl.ts'
import { homeOf, namespace } from './cluster.ts'
import type { TestRelease } from './releases.ts'
import type { Stage } from './stage.ts'

/** A hosted cluster as the people see it who asked for it: they type with kubectl, and look at what they are told. */
export class AskedCluster {
  readonly name: string
  readonly #stage: Stage

  constructor(stage: Stage, name: string) {
    this.#stage = stage
    this.name = name
  }

  get k(): Kubectl {
    return this.#stage.k
  }

  get object(): HostedCluster | undefined {
    return this.#stage.recorder.state.get(HostedCluster, { namespace, name: this.name })
  }

  get controlPlane(): HostedControlPlane | undefined {
    return this.#stage.recorder.state.get(HostedControlPlane, { namespace: homeOf(this.name), name: this.name })
  }

  get components(): readonly ControlPlaneComponent[] {
    return this.#stage.recorder.state.list(ControlPlaneComponent, { namespace: homeOf(this.name) })
  }

  /** `Completed 4.19.6`, newest first: of the management side. */
  history(): readonly string[] {
    return (this.object?.status?.controlPlaneVersion?.history ?? []).map(({ state, version }) => `${state} ${version}`)
  }

  /** The same of the guest. */
  guestHistory(): readonly string[] {
    return (this.object?.status?.version?.history ?? []).map(({ state, version = '' }) => `${state} ${version}`)
  }

  condition(type: string): Condition | undefined {
    return findCondition(this.object?.status?.conditions, type)
  }

  async patch(change: object): Promise<void> {
    await this.k.ok`-n ${namespace} patch hc ${this.name} --type=merge -p ${change}`
  }

  upgrade({ pullspec }: TestRelease): Promise<void> {
    return this.patch({ spec: { release: { image: pullspec } } })
  }

  async annotate(...annotations: readonly string[]): Promise<void> {
    for (const annotation of annotations) await this.k.ok`-n ${namespace} annotate --overwrite hc ${this.name} ${annotation}`
  }

  /** Lets something go wrong in its control plane from now on, in the words of the simulator; nothing any more without words. */
  async fail(words?: string): Promise<void> {
    const annotation = `simulator.windlass.dev/fail${words === undefined ? '-' : `=${words}`}`
    await this.k.ok`annotate --overwrite namespace ${homeOf(this.name)} ${annotation}`
  }

  /** With what people are handed out to reach the cluster itself. */
  async kubectlOfGuest(): Promise<Kubectl> {
    const { data } = await this.k.object`-n ${namespace} get secret ${this.name}-admin-kubeconfig -o json`
    return this.#stage.kubectlFor(`${this.name}-guest`, Buffer.from(data['kubeconfig'] ?? '', 'base64').toString())
  }

  until(what: string, holds: () => boolean): Promise<void> {
    return this.#stage.recorder.until(`${this.name} ${what}`, holds, () => this.describe())
  }

  /** Both sides have got there. */
  async untilAt({ version }: TestRelease): Promise<void> {
    const there = `Completed ${version}`
    await this.until(`to be at ${version}`, () => this.history()[0] === there && this.guestHistory()[0] === there)
  }

  /** Its users are told so, by kubectl and by what we look at. */
  async waitFor(type: string, status: Condition['status'] = 'True'): Promise<void> {
    await this.wait(`hc/${this.name}`, `${type}=${status}`)
    await this.until(`to have ${type} ${status}`, () => this.condition(type)?.status === status)
  }

  /** kubectl waits for a condition; it is asked again when a busy machine needs longer than it may run. */
  async wait(resource: string, condition: string, where = namespace): Promise<void> {
    const deadline = performance.now() + 120_000
    for (;;) {
      const { status, stderr } = await this.k.run`-n ${where} wait --for=condition=${condition} ${resource} --timeout=20s`
      if (status === 0) return
      if (performance.now() > deadline) throw new Error(`kubectl wait for ${condition} of ${resource}: ${stderr}\n${this.describe()}`)
    }
  }

  /** For people who look at a failed test. */
  describe(): string {
    const conditions = (object: HostedCluster | HostedControlPlane | ControlPlaneComponent | undefined) =>
      (object?.status?.conditions ?? []).map(({ type, status, reason, message }) => `    ${type} ${status} ${reason} ${message ?? ''}`)
    return [
      `HostedCluster ${this.name}: ${this.history().join(', ')}; its guest: ${this.guestHistory().join(', ')}`,
      ...conditions(this.object),
      'HostedControlPlane',
      ...conditions(this.controlPlane),
      ...this.components.flatMap((component) => [`  ${component.metadata.name} ${component.status?.version}`, ...conditions(component)]),
      ...this.#stage.complaints().slice(-20),
    ].join('\n')
  }
}
