import { type Duration, type Instant, wholeSeconds } from '@windlass/core'
import type { Stage, Standing } from './standing.ts'

/** What is particular about a Pod. */
export interface Traits {
  /** Runs to its end instead of for ever. */
  readonly ends: boolean
  /** Containers that fail are started again. */
  readonly restarts: boolean
  readonly failsToPull: boolean
  /** Whether containers that were started again so many times crash. */
  readonly crashes: (restarts: number) => boolean
  readonly isNeverReady: boolean
  readonly pull: Duration
  readonly start: Duration
  readonly ready: Duration
  readonly work: Duration
  readonly crash: Duration
  /** How long to wait before containers are started for the given time after the first. */
  readonly backOff: (restarts: number) => Duration
  readonly now: Instant
}

type Transition = (standing: Standing, traits: Traits) => Standing | undefined

/**
 * What comes after each stage, and when. Undefined: nothing more, unless something changes. What has to do with a failure that was just asked for, or just
 * taken back, happens now: nobody has written down when that was.
 */
const transitions: Readonly<Record<Stage, Transition>> = {
  accepted: (standing, traits) => (traits.failsToPull ? pullFailed(standing, traits) : at(standing, 'creating', standing.since)),
  creating: (standing, traits) =>
    traits.failsToPull ? pullFailed(standing, traits) : started(standing, standing.since + traits.pull + traits.start, traits),
  'pull-failed': (standing, traits) => (traits.failsToPull ? undefined : started(standing, traits.now, traits)),
  running: (standing, traits) => {
    if (traits.crashes(standing.restarts)) return crashed(standing, standing.since + traits.crash, traits)
    return traits.isNeverReady ? undefined : at(standing, 'ready', standing.since + traits.ready)
  },
  ready: (standing, traits) => {
    const { startedAt = standing.since } = standing
    if (traits.crashes(standing.restarts)) return crashed(standing, traits.ends ? startedAt + traits.crash : traits.now, traits)
    if (traits.ends) return ended(standing, 'succeeded', startedAt + traits.work)
    return traits.isNeverReady ? at(standing, 'running', startedAt) : undefined
  },
  'backing-off': (standing, traits) =>
    started({ ...standing, restarts: standing.restarts + 1 }, standing.since + traits.backOff(standing.restarts), traits),
  succeeded: () => undefined,
  failed: () => undefined,
}

export function next(standing: Standing, traits: Traits): Standing | undefined {
  return transitions[standing.stage](standing, traits)
}

/** Times have whole seconds, because those that are written down have. */
function at(standing: Standing, stage: Stage, since: Instant): Standing {
  return { ...standing, stage, since: wholeSeconds(since) }
}

function pullFailed(standing: Standing, { pull }: Traits): Standing {
  return at(standing, 'pull-failed', standing.since + pull)
}

/** Nobody asks whether containers that end by themselves are ready: they are while they run. */
function started(standing: Standing, since: Instant, { ends }: Traits): Standing {
  const running = at(standing, ends ? 'ready' : 'running', since)
  return { ...running, startedAt: running.since }
}

function ended(standing: Standing, stage: Stage, since: Instant): Standing {
  const over = at(standing, stage, since)
  return { ...over, finishedAt: over.since }
}

function crashed(standing: Standing, since: Instant, { restarts }: Traits): Standing {
  return ended(standing, restarts ? 'backing-off' : 'failed', since)
}
