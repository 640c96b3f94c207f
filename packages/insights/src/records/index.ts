/**
 * How finished updates went, to learn from them how long the next one takes.
 *
 * - `record.ts`: a short list on each progress insight, in an annotation: when after the beginning of an update it was done, for the last few of them.
 * - `noting.ts`: when something is added to it: once for each operator and each pool in every update.
 * - `learning.ts`: from there to what `learnedEstimate` takes.
 */
export { type Learned, learnFrom, type Lessons } from './learning.ts'
export { noteOperator, notePool, type UpdateOnRecord, updateOf } from './noting.ts'
export { recordAnnotation, recordsOf, type UpdateRecord } from './record.ts'
