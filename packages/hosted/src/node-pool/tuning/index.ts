/**
 * Tuning of nodes: what a pool says is copied to where the tuning operator of its control plane looks (`mirror.ts`), and what that says comes back
 * (`profile-conditions.ts`).
 */
export { mirrorActions, tuningMirrors } from './mirror.ts'
export { profileConditions } from './profile-conditions.ts'
