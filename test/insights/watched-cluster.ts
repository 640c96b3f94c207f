import assert from 'node:assert/strict'
import {
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
} from '@windlass/api'
import { type Condition, findCondition } from '@windlass/core'
import type { Kubectl } from '../support/kubectl.ts'
import type { Ended, Stage } from './stage.ts'

const version = { name: 'version' } as const

/** A cluster as the people see it who update it: they type with kubectl, and look at insights and at `windlass status`. */
export class WatchedCluster {
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
  }

  get k(): Kubectl {
    return this.#stage.k
  }

  get insight(): ClusterVersionProgressInsight['status'] {
    return this.#stage.recorder.state.get(ClusterVersionProgressInsight, version)?.status
  }

  /** `Progressing 33`, of the control plane. */
  get progress(): string {
    return `${this.insight?.assessment} ${this.insight?.completionPercent}`
  }

  pool(name: string): MachineConfigPoolProgressInsight['status'] {
    return this.#stage.recorder.state.get(MachineConfigPoolProgressInsight, { name })?.status
  }

  /** Why an operator is or is not updating. */
  operatorReason(name: string): string | undefined {
    return this.#stage.recorder.state.get(ClusterOperatorProgressInsight, { name })?.status?.conditions?.[0]?.reason
  }

  get operators(): readonly ClusterOperatorProgressInsight[] {
    return this.#stage.recorder.state.list(ClusterOperatorProgressInsight)
  }

  nodeReason(name: string): string | undefined {
    return this.#stage.recorder.state.get(NodeProgressInsight, { name })?.status?.conditions?.[0]?.reason
  }

  get health(): readonly UpdateHealthInsight[] {
    return this.#stage.recorder.state.list(UpdateHealthInsight)
  }

  /** `Warning Node worker-0 is not ready` for everything that is wrong. */
  get troubles(): ReadonlySet<string> {
    return new Set(this.health.flatMap(({ status }) => (status === undefined ? [] : [`${status.impact.level} ${status.impact.summary}`])))
  }

  /** `Completed 4.19.12`, newest first. */
  get history(): readonly string[] {
    const { status } = this.#stage.recorder.state.get(ClusterVersion, version) ?? {}
    return (status?.history ?? []).map(({ state, version: reached = '' }) => `${state} ${reached}`)
  }

  condition(type: string): Condition | undefined {
    return findCondition(this.insight?.conditions, type)
  }

  /** What the version operator itself says, without our help. */
  reported(type: string): Pick<Condition, 'status' | 'reason'> | undefined {
    return findCondition(this.#stage.recorder.state.get(ClusterVersion, version)?.status?.conditions, type)
  }

  async update(to: string): Promise<void> {
    await this.patch({ spec: { desiredUpdate: { version: to } } })
  }

  async patch(change: object): Promise<void> {
    await this.k.ok`patch clusterversion version --type=merge -p ${change}`
  }

  /** Lets something go wrong from now on, in the words of the simulator: `node/worker-0`. Nothing any more without words. */
  async fail(object: string, words?: string): Promise<void> {
    await this.k.ok`annotate --overwrite ${object} ${`simulator.windlass.dev/fail${words === undefined ? '-' : `=${words}`}`}`
  }

  /** These troubles come, and whatever level they have got to by then. */
  async untilTroubled(...summaries: readonly string[]): Promise<void> {
    const lacking = (): readonly string[] => summaries.filter((summary) => !this.#isTroubledBy(summary))
    await this.until(
      () => `to be told of ${lacking().join(', ')}`,
      () => lacking().length === 0,
    )
  }

  /** These troubles are over. */
  async untilRelieved(...summaries: readonly string[]): Promise<void> {
    const left = (): readonly string[] => summaries.filter((summary) => this.#isTroubledBy(summary))
    await this.until(
      () => `to be told no more of ${left().join(', ')}`,
      () => left().length === 0,
    )
  }

  #isTroubledBy(summary: string): boolean {
    return this.health.some(({ status }) => status?.impact.summary === summary)
  }

  async until(what: string | (() => string), holds: () => boolean): Promise<void> {
    const words = (): string => (typeof what === 'string' ? what : what())
    await this.#stage.recorder.until('the cluster', holds, () => `${words()}\n${this.describe()}`, 60_000)
  }

  /** What `windlass status` prints, line by line; blank ends cut off. */
  async lines(...args: readonly string[]): Promise<readonly string[]> {
    return (await this.status(...args)).text.trimEnd().split('\n')
  }

  status(...args: readonly string[]): Promise<Ended> {
    return this.#stage.status(...args)
  }

  /** `windlass status` has these lines, in this order, perhaps with others between them. */
  async assertSays(...expected: readonly RegExp[]): Promise<void> {
    const lines = await this.lines()
    let from = 0
    for (const pattern of expected) {
      const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
      assert.ok(found >= 0, `windlass status says nothing like ${pattern} after line ${from}:\n${lines.join('\n')}\n${this.describe()}`)
      from = found + 1
    }
  }

  /** For people who look at a failed test. */
  describe(): string {
    return [
      `${this.history.join(', ')}; ${JSON.stringify(this.insight)}`,
      ...[...this.troubles].toSorted(),
      ...this.#stage.complaints().slice(-20),
    ].join('\n')
  }
}
