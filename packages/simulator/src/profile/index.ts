/** How long things take. `profile.ts` is all there is: a table of medians, a seed, and a speed. */
export {
  atSpeed,
  createProfile,
  drawn,
  durationOf,
  type Pace,
  paceOf,
  type PaceOptions,
  type Profile,
  type ProfileOptions,
  secondsOf,
  type Spread,
  type Step,
  usualDurations,
} from './profile.ts'
