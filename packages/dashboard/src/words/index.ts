/**
 * How things are said: `states.ts` names states and gives each a tone, `times.ts` writes moments and ages, `counts.ts` numbers.
 */
export {
  attentionTone,
  attentions,
  componentTone,
  exposureStates,
  exposureTone,
  poolTone,
  skewTone,
  skewVerdicts,
  skewWord,
  stepTone,
} from './states.ts'
export type { Tone } from './states.ts'
export { ageOf, dayOf, momentOf, roughly, spanOf, timeOfDay, whenOf } from './times.ts'
export { countOf, plural, shareOf } from './counts.ts'
