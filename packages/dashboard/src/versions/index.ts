/**
 * Versions as a chart: `bars.ts` divides three bars by minor and patch, `minor.ts` sorts texts that are versions or are not.
 */
export { minorsOf, versionBars } from './bars.ts'
export type { MinorPart, PatchPart, VersionBar } from './bars.ts'
export { compareVersionTexts, minorOf } from './minor.ts'
