/**
 * For tests of controllers: `stage.ts` sets one up on a virtual clock, `recorded.ts` is what it said meanwhile, `definitions.ts` are
 * controllers whose decisions are the test's, `painter.ts` is one that does a bit of everything.
 */
export { deciding, finished, reconciling, ref, runFor } from './definitions.ts'
export { finalizer, painter } from './painter.ts'
export { type Message, recordedLog, recordedMetrics } from './recorded.ts'
export { stage, type Stage } from './stage.ts'
