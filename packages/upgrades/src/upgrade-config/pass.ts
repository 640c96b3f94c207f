import type { ClusterVersion } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { ReconcileContext, StaleView } from '@windlass/kube'
import type { OperatorConfig } from '../config/index.ts'
import { performAll } from '../effects/index.ts'
import { lookAt, performer, type StoredUpgrade } from '../hands/index.ts'
import { recordedFailures, recordedSamples } from './recorded-gauges.ts'
import type { Facts } from '../observed/facts.ts'
import { type Seen, seen } from '../observed/seen.ts'
import type { UpgradeParts } from '../parts.ts'
import { refresh } from '../provider/refresher.ts'
import { type Hands, runUpgrade, upgraderFor } from '../steps/index.ts'
import { conditionOf, newestFalse } from './conditions.ts'
import { entryOf, type HistoryEntry, historyOf } from './history.ts'
import { decidePhase, type PhaseDecision, type PhaseView } from './phases.ts'

export interface PassOptions {
  readonly parts: UpgradeParts
  readonly context: ReconcileContext
  readonly stored: StoredUpgrade
  readonly config: OperatorConfig
  readonly clusterVersion: ClusterVersion
  readonly now: Instant
}

/** What a pass came to, besides what it did and wrote. */
export interface PassResult {
  /** Why it is tried again soon. */
  readonly problem?: string
  readonly requeueAfter?: number
  readonly waitingFor?: string
}

/** A decision that keeps asking would never end. */
const mostLooks = 12

/** One pass over an UpgradeConfig: decides by its phase, and runs the steps when that says so. All that it knows in the end is written. */
export class UpgradePass {
  readonly #options: PassOptions
  readonly #hands: Hands
  #facts: Facts
  #overtaken: StaleView | undefined

  constructor(options: PassOptions) {
    const { parts, context, stored, config, clusterVersion } = options
    this.#options = options
    this.#facts = { clusterVersion: seen(clusterVersion) }
    const clusterId = () => Promise.resolve(clusterVersion.spec.clusterID)
    this.#hands = {
      look: async (at) => {
        const found = await lookAt(at, this.#looking())
        this.#facts = { ...this.#facts, ...found }
        return found
      },
      perform: performer({ parts, context, stored, config, clusterId }, (error) => (this.#overtaken = error)),
      log: (message) => context.log.warn({}, message),
    }
  }

  async run(): Promise<PassResult> {
    this.#publish(seen(this.#options.clusterVersion))
    const { phase } = this.#entry
    const decision = await this.#decide()
    // In New what was found is told before the phase ends, in others what is done rests on what is written.
    const problem =
      phase === 'New' ? ((await this.#perform(decision)) ?? (await this.#store(decision))) : await this.#storeThenPerform(decision)
    const { requeueAfter, waitingFor, note } = decision
    if (note !== undefined) this.#options.context.log.info({}, note)
    const failure = problem ?? decision.problem
    if (failure !== undefined) return { problem: failure }
    if (decision.runsUpgrader) return this.#upgrade(decision)
    return { ...(requeueAfter === undefined ? {} : { requeueAfter }), ...(waitingFor === undefined ? {} : { waitingFor }) }
  }

  get #entry(): HistoryEntry {
    const entry = entryOf(this.#options.stored.current)
    if (entry === undefined) throw new Error('the history has no entry for the desired version: it was edited meanwhile')
    return entry
  }

  async #decide(): Promise<PhaseDecision> {
    const { stored, config, parts, now } = this.#options
    for (let looks = 0; looks < mostLooks; looks++) {
      const upgradeConfig = stored.current
      const view: PhaseView = {
        upgradeConfig,
        history: historyOf(upgradeConfig),
        entry: this.#entry,
        config,
        facts: this.#facts,
        series: parts.gauges.series,
        now,
      }
      const decision = decidePhase(view)
      if (decision.is === 'decided') return decision
      await this.#hands.look(decision.at)
    }
    throw new Error(`the phase ${this.#entry.phase} has looked ${mostLooks} times and still wants to know more`)
  }

  async #storeThenPerform(decision: PhaseDecision): Promise<string | undefined> {
    await this.#store(decision)
    return this.#perform(decision)
  }

  async #store({ history }: PhaseDecision): Promise<undefined> {
    await this.#options.stored.writeHistory(history, 'its phase has changed')
    return undefined
  }

  async #perform({ effects }: PhaseDecision): Promise<string | undefined> {
    const problem = await performAll(effects, this.#hands.perform, this.#hands.log)
    if (this.#overtaken !== undefined) throw this.#overtaken
    return problem
  }

  /** Runs the steps, and writes what came of it before anything else is said. */
  async #upgrade({ requeueAfter }: PhaseDecision): Promise<PassResult> {
    const { stored, config, context, now } = this.#options
    const upgradeConfig = stored.current
    const pass = { upgradeConfig, entry: this.#entry, config, facts: this.#facts, now }
    const { entry, problem } = await runUpgrade(upgraderFor(upgradeConfig.spec.type), pass, this.#hands)
    if (this.#overtaken !== undefined) throw this.#overtaken
    context.signal.throwIfAborted()
    await stored.writeEntry(entry, reasonFor(entry))
    this.#publish(this.#facts.clusterVersion)
    if (problem !== undefined) return { problem }
    const open = newestFalse(entry)
    return {
      ...(requeueAfter === undefined ? {} : { requeueAfter }),
      ...(open?.message === undefined ? {} : { waitingFor: open.message }),
    }
  }

  /** Says what follows from what is stored: a process that has just started says the same as the one before it. */
  #publish(clusterVersion: Seen<ClusterVersion>): void {
    const { stored, parts } = this.#options
    const upgradeConfig = stored.current
    parts.gauges.publish(recordedSamples(upgradeConfig, 'value' in clusterVersion ? clusterVersion.value : undefined))
    parts.gauges.publishMissing(recordedFailures(upgradeConfig))
  }

  #looking() {
    const { parts, context, stored, config, clusterVersion, now } = this.#options
    return {
      context,
      outside: parts.outside,
      upgradeConfig: stored.current,
      entry: this.#entry,
      config,
      clusterVersion: seen(clusterVersion),
      now,
      refresh: () => refresh({ parts, context, config }),
    }
  }
}

function reasonFor(entry: HistoryEntry): string {
  if (entry.phase === 'Upgraded') return 'its upgrade is complete'
  if (entry.phase === 'Failed') return conditionOf(entry, 'FailedUpgrade')?.message ?? 'its upgrade has failed'
  return newestFalse(entry)?.message ?? 'its steps have been run'
}
