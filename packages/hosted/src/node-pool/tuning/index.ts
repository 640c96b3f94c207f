/** Tuning of nodes: what a pool says is copied to where the tuning operator of its control plane looks (`mirror.ts`). */
export { mirrorActions, tuningMirrors } from './mirror.ts'
