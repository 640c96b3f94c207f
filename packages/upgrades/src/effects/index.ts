/** What decisions want done besides writing the status: `effect.ts` says what there is, `changed-facts.ts` what must be looked at again after it, `perform.ts` what becomes of the rest when one fails. */
export {
  act,
  atBestEffort,
  createSilence,
  deletePod,
  type Effect,
  endSilence,
  gauge,
  notify,
  type OnFailure,
  owe,
  replace,
} from './effect.ts'
export { changedFacts } from './changed-facts.ts'
export { type Perform, performAll } from './perform.ts'
