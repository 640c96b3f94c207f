/** Whether control planes are exposed to a vulnerability: `advisory.ts` says where it is fixed, `exposure.ts` judges. */
export { InvalidAdvisoryError, parseAdvisory } from './advisory.ts'
export type { Advisory, AdvisoryText } from './advisory.ts'
export { exposure } from './exposure.ts'
export type { CveStatus, Exposure, UpdatedControlPlane } from './exposure.ts'
