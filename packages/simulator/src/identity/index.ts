/**
 * What follows from what an object is called: `hash.ts` makes letters and addresses of text, `canonical.ts` text of objects.
 *
 * Nothing here depends on the order in which things happen, so that the same world looks the same in every run.
 */
export { canonicalJson } from './canonical.ts'
export { addressOf, hash32, lettersOf } from './hash.ts'
