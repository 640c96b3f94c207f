import { type Duration, seededRandom } from '@windlass/core'

/** How long something takes: half of the times less than the median. A spread of 0.5 means that two in three are within a factor of 1.65. */
export interface Spread {
  readonly median: Duration
  readonly spread: number
}

const seconds = 1_000

/** What takes time, and how much of it on an ordinary day. */
export const usualDurations = {
  /** An image is fetched. */
  pull: { median: 4 * seconds, spread: 0.5 },
  /** Containers are made, once their images are there. For each of the init containers too. */
  start: { median: 1 * seconds, spread: 0.3 },
  /** A container that runs passes its readiness probe. */
  ready: { median: 8 * seconds, spread: 0.4 },
  /** A container that is told to end ends. It never takes longer than its grace period. */
  stop: { median: 3 * seconds, spread: 0.5 },
  /** A container that ends by itself does its work. */
  work: { median: 10 * seconds, spread: 0.5 },
  /** A container that crashes runs before it does. */
  crash: { median: 2 * seconds, spread: 0.3 },
  /** A cloud makes a load balancer. */
  address: { median: 40 * seconds, spread: 0.4 },
  /** A router takes a Route. */
  admission: { median: 1 * seconds, spread: 0.3 },
  /** A name can be looked up, once there is something that it stands for. */
  dns: { median: 30 * seconds, spread: 0.4 },
} as const satisfies Readonly<Record<string, Spread>>

export type Step = keyof typeof usualDurations

/** How long the steps of some part of the world take. */
export interface PaceOptions<Name extends string> {
  readonly seed: number | string
  /**
   * All durations are divided by it; 1 unless told. Infinity: nothing takes any time. What people have written into objects (grace periods,
   * deadlines, schedules) stays as they wrote it.
   */
  readonly speed?: number
  /** Where they differ from the usual ones. */
  readonly durations?: Readonly<Partial<Record<Name, Spread>>>
}

/** The same, spelled out. */
export interface Pace<Name extends string> {
  readonly seed: number | string
  readonly speed: number
  readonly durations: Readonly<Record<Name, Spread>>
}

/** Errors: a RangeError for a speed that is not above 0, and for a duration below 0. */
export function paceOf<Name extends string>(usual: Readonly<Record<Name, Spread>>, options: PaceOptions<Name>): Pace<Name> {
  const { seed, speed = 1, durations = {} } = options
  if (!(speed > 0)) throw new RangeError(`the speed of the simulator is ${speed}: it must be more than 0, and 1 is real time`)
  for (const [step, { median, spread }] of Object.entries<Spread>(durations)) {
    if (!(median >= 0 && spread >= 0 && Number.isFinite(median)))
      throw new RangeError(
        `the duration of ${step} has median ${median} and spread ${spread}: neither can be less than 0, and both must be known`,
      )
  }
  return { seed, speed, durations: { ...usual, ...durations } }
}

export type ProfileOptions = PaceOptions<Step>

/** How long things take in one simulated world. */
export type Profile = Pace<Step>

export function createProfile(options: ProfileOptions): Profile {
  return paceOf(usualDurations, options)
}

/**
 * How long this takes for the thing of that name: always the same for the same seed and the same name, whoever asks and however often. The
 * times of many things are log-normal, as such times are, less the far ends.
 */
export function durationOf(profile: Profile, step: Step, identity: string): Duration {
  return drawn(profile, profile.durations[step], `${step}/${identity}`)
}

/** The same, for a length of time that is none of the usual ones. */
export function drawn({ seed, speed }: Pick<Profile, 'seed' | 'speed'>, { median, spread }: Spread, identity: string): Duration {
  if (median === 0 || speed === Number.POSITIVE_INFINITY) return 0
  return Math.round((median * Math.exp(spread * deviate(`${seed}/${identity}`))) / speed)
}

/** A fixed length of time, such as a back-off, at the speed of this world. */
export function atSpeed({ speed }: Pick<Profile, 'speed'>, duration: Duration): Duration {
  return duration / speed
}

/** The same in seconds, such as a pause between two tries. */
export function secondsOf(pace: Pick<Profile, 'speed'>, count: number): Duration {
  return atSpeed(pace, count * seconds)
}

/** So many spreads from the median at most. */
const farthest = 2

/** A normal deviate by Box and Muller's method. */
function deviate(seed: string): number {
  const random = seededRandom(seed)
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  const value = radius * Math.cos(2 * Math.PI * random.next())
  return Math.max(-farthest, Math.min(farthest, value))
}
