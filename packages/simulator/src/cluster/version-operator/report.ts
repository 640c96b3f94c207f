import type { Instant } from '@windlass/core'
import { say, type Said } from './condition.ts'
import type { HoldUps, Trouble } from './hold-ups.ts'

/** What ClusterVersion says about an update that runs, or about a cluster that rests. */
export interface Report {
  readonly progressing: Said
  readonly failing: Said
}

/** What a report is made from. */
export interface Situation {
  readonly version: string
  readonly holdUps: HoldUps
  /** Manifests that are done, of all. */
  readonly done: number
  readonly total: number
  /** Since when the operators that it waits for have been waited for. */
  readonly since: Instant
  /** What went wrong is told when an attempt ends: the first end after this moment. */
  readonly toldAt: (moment: Instant) => Instant
  /** A manifest that the API server refuses, in words. */
  readonly rejected?: string
  /** At the speed of the cluster. */
  readonly minute: number
}

const failingNot = say('Failing', 'False')

/** How long operators may take before it is unusual, and how long they may be degraded before it is an error. In minutes. */
export const patience = { usual: 30, machineConfig: 90, degraded: 40 } as const

/** The messages of an update that is under way. Errors go before waiting, and waiting for the degraded before waiting for the slow. */
export function applyingReport(situation: Situation, now: Instant): Report {
  const { version, holdUps, minute } = situation
  const errors = errorsOf(situation, now, (since) => now - since > patience.degraded * minute)
  const [first] = errors
  if (first !== undefined) {
    const { reason, brief, words } = errors.length === 1 ? first : multiple(errors)
    const exceeded =
      errors.length === 1 && first.kind === 'degraded' ? `wait has exceeded 40 minutes for these operators: ${first.names}` : brief
    return {
      progressing: say('Progressing', 'True', reason, `Unable to apply ${version}: ${exceeded}`),
      failing: say('Failing', 'True', reason, words),
    }
  }
  const counted = countedMessage(situation)
  const waiting = (reason: string, text: string, failing = failingNot): Report => ({
    progressing: say('Progressing', 'True', reason, text === '' ? counted : `${counted}, ${text}`),
    failing,
  })
  if (holdUps.degraded.length > 0)
    return waiting(
      plural('Degraded', holdUps.degraded.length),
      `waiting up to ${patience.degraded} minutes on ${namesOf(holdUps.degraded)}`,
    )
  const awaited = [...holdUps.updating, ...holdUps.unavailable.map(({ name }) => name)].sort()
  if (awaited.length === 0 || situation.done === 0) return waiting('', '')
  const reason = plural('Updating', awaited.length)
  const slow = slowText(awaited, situation.since, minute, now)
  return slow === undefined
    ? waiting(reason, `waiting on ${awaited.join(', ')}`)
    : waiting(reason, slow, say('Failing', 'Unknown', 'SlowClusterOperator', slow))
}

/** The messages of a cluster at rest. */
export function restingReport(situation: Situation, now: Instant): Report {
  const { version } = situation
  const errors = errorsOf(situation, now, () => true)
  const [first] = errors
  if (first === undefined) return doneReport(version)
  const { reason, brief, words } = errors.length === 1 ? first : multiple(errors)
  return {
    progressing: say('Progressing', 'False', reason, `Error while reconciling ${version}: ${brief}`),
    failing: say('Failing', 'True', reason, words),
  }
}

export function doneReport(version: string): Report {
  return { progressing: say('Progressing', 'False', '', `Cluster version is ${version}`), failing: failingNot }
}

/** When the report may change though nothing happens. */
export function momentsOf({ holdUps, since, toldAt, minute }: Situation): readonly Instant[] {
  // A limit is exceeded after it, not at it.
  const justAfter = (moment: Instant): Instant => moment + 1
  return [
    ...(holdUps.updating.length === 0
      ? []
      : [justAfter(since + patience.usual * minute), justAfter(since + patience.machineConfig * minute)]),
    ...holdUps.unavailable.map((trouble) => toldAt(trouble.since)),
    ...holdUps.degraded.flatMap((trouble) => [justAfter(trouble.since + patience.degraded * minute), toldAt(trouble.since)]),
  ]
}

function countedMessage({ version, done, total }: Situation): string {
  if (done === 0) return `Working towards ${version}`
  return `Working towards ${version}: ${done} of ${total} done (${Math.trunc((100 * done) / total)}% complete)`
}

/** The other way round: how many manifests a message says are done; 0 when it says nothing of that. */
export function doneIn(message: string, version: string): number {
  const start = `Working towards ${version}: `
  const count = message.startsWith(start) ? /^(\d+) of/.exec(message.slice(start.length))?.[1] : undefined
  return Number(count ?? 0)
}

interface Problem {
  readonly kind: 'unavailable' | 'degraded' | 'rejected'
  readonly reason: string
  readonly names: string
  /** For people who look at the update. */
  readonly brief: string
  /** For people who look for what is wrong. */
  readonly words: string
}

/** One for each kind of error that has been told by now. */
function errorsOf({ holdUps, toldAt, rejected }: Situation, now: Instant, isTooLong: (since: Instant) => boolean): readonly Problem[] {
  const isTold = ({ since }: Trouble): boolean => toldAt(since) <= now
  const unavailable = holdUps.unavailable.filter(isTold)
  const degraded = holdUps.degraded.filter((trouble) => isTold(trouble) && isTooLong(trouble.since))
  return [
    ...(unavailable.length === 0 ? [] : [problemOf('unavailable', 'NotAvailable', 'not available', unavailable)]),
    ...(degraded.length === 0 ? [] : [problemOf('degraded', 'Degraded', 'degraded', degraded)]),
    ...(rejected === undefined ? [] : [rejection(rejected)]),
  ]
}

function problemOf(kind: Problem['kind'], word: string, adjective: string, troubles: readonly Trouble[]): Problem {
  const names = namesOf(troubles)
  const isOne = troubles.length === 1
  return {
    kind,
    reason: plural(word, troubles.length),
    names,
    brief: isOne ? `the cluster operator ${names} is ${adjective}` : `some cluster operators are ${adjective}`,
    words: isOne ? `Cluster operator ${names} is ${adjective}` : `Cluster operators ${names} are ${adjective}`,
  }
}

function rejection(words: string): Problem {
  return { kind: 'rejected', reason: 'UpdatePayloadResourceInvalid', names: '', brief: 'the update could not be applied', words }
}

function multiple(errors: readonly Problem[]): Pick<Problem, 'reason' | 'brief' | 'words'> {
  const list = errors.map(({ words }) => `\n* ${words}`).sort()
  return {
    reason: 'MultipleErrors',
    brief: 'an unknown error has occurred: MultipleErrors',
    words: `Multiple errors are preventing progress:${list.join('')}`,
  }
}

function slowText(names: readonly string[], since: Instant, minute: number, now: Instant): string | undefined {
  const waited = now - since
  const usual = waited > patience.usual * minute ? names.filter((name) => name !== 'machine-config') : []
  const isMachineConfigSlow = names.includes('machine-config') && waited > patience.machineConfig * minute
  const parts = [
    ...(usual.length === 0 ? [] : [`${usual.join(', ')} over ${patience.usual} minutes`]),
    ...(isMachineConfigSlow ? [`machine-config over ${patience.machineConfig} minutes`] : []),
  ]
  return parts.length === 0 ? undefined : `waiting on ${parts.join(' and ')} which is longer than expected`
}

function plural(word: string, count: number): string {
  return count === 1 ? `ClusterOperator${word}` : `ClusterOperators${word}`
}

function namesOf(troubles: readonly Trouble[]): string {
  return troubles.map(({ name }) => name).join(', ')
}
