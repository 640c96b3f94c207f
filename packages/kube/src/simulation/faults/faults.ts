import { parseDuration } from '@windlass/core'

/** A length of time: milliseconds, or text as Go writes it (`90s`, `1h30m`). */
export type Span = number | string

export function milliseconds(span: Span): number {
  return typeof span === 'number' ? span : parseDuration(span)
}

/** From, to, in milliseconds. */
export type Range = readonly [number, number]

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** Faults that strike each request, or each piece of a stream, with some chance. */
export const chanceKinds = [
  'slowLists',
  'lostRequests',
  'lostAnswers',
  'conflicts',
  'throttles',
  'outages',
  'watchDelays',
  'watchStalls',
] as const
export type ChanceKind = (typeof chanceKinds)[number]

/** Faults that come out of the blue, some time after the last one. */
export const recurringKinds = ['watchCuts', 'compactions', 'crashes', 'leaderLoss', 'clockJumps'] as const
export type RecurringKind = (typeof recurringKinds)[number]

export const faultKinds = ['latency', ...chanceKinds, ...recurringKinds] as const
export type FaultKind = (typeof faultKinds)[number]

/**
 * What goes wrong, and how often. Chances are between 0 and 1; times are the mean time between two of a kind. What is left out does not
 * happen.
 */
export interface Faults {
  /** How long requests are under way, there and back: the same for all, or by verb; 20 ms where nothing is said. It stays when calm comes. */
  readonly latency?: Range | Readonly<Partial<Record<Verb, Range>>>
  /** A list takes seconds, or longer than its client waits. */
  readonly slowLists?: number
  /** A request is lost before it reaches the server. */
  readonly lostRequests?: number
  /** The server has done what it was asked, but its answer is lost. */
  readonly lostAnswers?: number
  /** A change is refused with 409, as if another had come before it. */
  readonly conflicts?: number
  /** 429 with Retry-After. */
  readonly throttles?: number
  /** 503, with Retry-After or without. */
  readonly outages?: number
  /** Events of a watch come late, and then together. */
  readonly watchDelays?: number
  /** A watch falls silent and does not end. */
  readonly watchStalls?: number
  /** A watch breaks off. */
  readonly watchCuts?: Span
  /** The server forgets its history: whoever watches from before has to list again. */
  readonly compactions?: Span
  /** A process is gone from one instant to the next. Another takes its place some time later, and knows nothing. */
  readonly crashes?: Span
  /** One process cannot reach the API for a while, often longer than a lease lasts. */
  readonly leaderLoss?: Span
  /** The wall clock of one process jumps, forwards or backwards. */
  readonly clockJumps?: Span
}

export type FaultChoice = Faults | 'all' | 'none'

/** Everything at once, each kind as often as it takes for most runs to meet it. */
export const allFaults: Faults = {
  latency: { get: [1, 20], list: [5, 100], watch: [1, 50], create: [2, 40], update: [2, 40], patch: [2, 40], delete: [2, 40] },
  slowLists: 0.05,
  lostRequests: 0.01,
  lostAnswers: 0.02,
  conflicts: 0.02,
  throttles: 0.01,
  outages: 0.01,
  watchDelays: 0.05,
  watchStalls: 0.05,
  watchCuts: '1m',
  compactions: '1m',
  crashes: '3m',
  leaderLoss: '3m',
  clockJumps: '2m',
}

/** How long the process that follows a crash takes to come up, how long an API is out of reach, and so on: all in milliseconds. */
export const lengths = {
  slowLists: [2_000, 90_000],
  retryAfter: [1_000, 3_000],
  watchDelays: [50, 5_000],
  watchStalls: [0, 60_000],
  restart: [1_000, 30_000],
  leaderLoss: [2_000, 40_000],
  clockJumps: [-30_000, 30_000],
} as const satisfies Record<string, Range>

/** How long a request is under way where nothing is said about it. */
export const usualLatency = 20

/** The choice spelled out, less the kinds that are switched off. */
export function chosenFaults(choice: FaultChoice, without: ReadonlySet<FaultKind> = new Set()): Faults {
  const chosen = choice === 'all' ? allFaults : choice === 'none' ? {} : choice
  for (const kind of chanceKinds) checkChance(kind, chosen[kind])
  for (const kind of recurringKinds) checkMean(kind, chosen[kind])
  return Object.fromEntries(Object.entries(chosen).filter(([kind]) => !without.has(kind as FaultKind)))
}

function checkChance(kind: ChanceKind, chance: number | undefined): void {
  if (chance === undefined || (chance >= 0 && chance <= 1)) return
  throw new RangeError(`faults.${kind} is ${chance}: a chance lies between 0 and 1`)
}

function checkMean(kind: RecurringKind, mean: Span | undefined): void {
  if (mean === undefined || milliseconds(mean) > 0) return
  throw new RangeError(`faults.${kind} is ${mean}: the mean time between two must be more than nothing; leave it out to have none`)
}
