import { formatTime } from '@windlass/core'
import { changedFacts, type Perform, performAll } from '../effects/index.ts'
import type { FactName, Facts } from '../observed/facts.ts'
import type { HistoryEntry } from '../upgrade-config/history.ts'
import { decideFailure, isWindowMissed, withFailure } from './failure-policy.ts'
import { withStepBegun, withStepEnded } from './record.ts'
import type { Outcome, Pass, Verdict } from './step.ts'
import type { Upgrader } from './upgraders.ts'

/** What carries out decisions: the only part of a pass that touches the world. */
export interface Hands {
  /** Finds out about these. What cannot be found out is a fact too, with its problem. */
  readonly look: (at: readonly FactName[]) => Promise<Partial<Facts>>
  readonly perform: Perform
  readonly log: (message: string) => void
}

export interface RunResult {
  /** To be stored. */
  readonly entry: HistoryEntry
  /** Why the pass is to be tried again soon. */
  readonly problem?: string
}

/** A decision that keeps asking would never end. No step asks more often than this. */
const mostLooks = 12

/**
 * Runs the steps of an upgrade, from the first, until one is not done or all are.
 *
 * Nothing of it is kept between passes but what is in the entry and in the cluster, so a process that dies anywhere goes on with the next pass.
 */
export async function runUpgrade(upgrader: Upgrader, start: Pass, hands: Hands): Promise<RunResult> {
  let pass: Pass = { ...start, entry: withStart(start) }
  if (upgrader.hasFailurePolicy && isWindowMissed(pass)) return runFailure(pass, hands)
  for (const { type, name, decide } of upgrader.steps) {
    pass = { ...pass, entry: withStepBegun(pass.entry, type, pass.now) }
    const ended = await settle(pass, name, decide, hands)
    pass = { ...ended.pass, entry: withStepEnded(pass.entry, type, ended.outcome, pass.now) }
    if (ended.outcome.is === 'failed') return { entry: pass.entry, problem: ended.outcome.message }
    if (ended.outcome.is === 'not done') return { entry: pass.entry }
  }
  return { entry: { ...pass.entry, phase: 'Upgraded', completeTime: formatTime(pass.now) } }
}

/** An entry that does not say when it began has begun now. */
function withStart({ entry, now }: Pass): HistoryEntry {
  return entry.startTime === undefined ? { ...entry, startTime: formatTime(now) } : entry
}

async function runFailure(pass: Pass, hands: Hands): Promise<RunResult> {
  const { outcome } = await settle(pass, 'Failure procedure', decideFailure, hands)
  const problem = outcome.is === 'failed' ? outcome.message : undefined
  return { entry: withFailure(pass.entry, problem, pass.now), ...(problem === undefined ? {} : { problem }) }
}

/** Decides, looks where the decision wants to look, decides again, and carries out what came of it. */
export async function settle(
  start: Pass,
  name: string,
  decide: (pass: Pass) => Verdict,
  hands: Hands,
): Promise<{ readonly outcome: Outcome; readonly pass: Pass }> {
  let pass = start
  for (let looks = 0; looks < mostLooks; looks++) {
    const { effects, ...verdict } = decide(pass)
    const problem = await performAll(effects, hands.perform, hands.log)
    const changed = [...new Set(effects.flatMap(changedFacts))]
    pass = { ...pass, facts: await refreshed(pass.facts, changed, verdict.is === 'look' ? verdict.at : [], hands) }
    if (problem !== undefined) {
      const message = verdict.is === 'failed' ? `${verdict.message}; ${problem}` : problem
      return { outcome: { is: 'failed', message }, pass }
    }
    if (verdict.is !== 'look') return { outcome: verdict, pass }
  }
  throw new Error(
    `step "${name}" has looked ${mostLooks} times and still wants to know more: what it looks at does not change as it expects`,
  )
}

/** Forgets what has changed, and looks at what is wanted. What every decision starts from is looked at again at once. */
async function refreshed(facts: Facts, changed: readonly FactName[], wanted: readonly FactName[], hands: Hands): Promise<Facts> {
  const kept = Object.entries(facts).filter(([name]) => !changed.some((other) => other === name))
  const at = [...new Set([...wanted, ...changed.filter((name) => name === 'clusterVersion')])]
  const news = at.length === 0 ? {} : await hands.look(at)
  return { clusterVersion: facts.clusterVersion, ...Object.fromEntries(kept), ...news }
}
