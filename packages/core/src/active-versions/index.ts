/** Which versions may still run in a control plane: one walk over its history, used by skew, exposure and everything that shows either. */
export { activeUpdates, activeVersions } from './active-versions.ts'
export type { VersionedUpdate } from './active-versions.ts'
