/** Who is exposed: `fixed-versions.ts` reads what somebody wrote, `export.ts` writes the answer for other programs. */
export { exposureCsv, exposureJson } from './export.ts'
export { readFixedVersions } from './fixed-versions.ts'
export type { FixedVersions } from './fixed-versions.ts'
