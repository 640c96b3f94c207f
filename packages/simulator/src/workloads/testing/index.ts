/**
 * For tests: `drafts.ts` are workloads to send to a server, `worlds.ts` runs the controllers in virtual time, `invariants.ts` is what must always hold.
 * `pods.ts` are Pods as caches hold them, `plans.ts` puts plans into words.
 */
export { deploymentDraft, draftOf, imageOf, namespace, statefulSetDraft, templateOf, toImage } from './drafts.ts'
export { neverDoneTooSoon, neverTooFew, neverTooMany, neverTwoTemplates } from './invariants.ts'
export { deedsOf, statusIn } from './plans.ts'
export { noon, podNamed, type PodOptions } from './pods.ts'
export { aWorld, given, isRolledOut } from './worlds.ts'
