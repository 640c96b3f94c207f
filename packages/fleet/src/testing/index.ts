/**
 * Fleets for tests: servers in memory (`memory-api.ts`, with its client and watches), and a fleet over some of them in virtual time (`stage.ts`).
 */
export { MemoryApi } from './memory-api.ts'
export { aClassicCluster, aFleetOf, aManagementCluster, classicKinds, hostedKinds, type Stage, type StageOptions } from './stage.ts'
