/** When the workers began to change and when they were done, from the machine config pool `worker`: `decide.ts`, and `controller.ts`, which asks it. */
export { machineConfigPool } from './controller.ts'
export { decidePool, isWorkerPool, type PoolView, withWorkerTimes } from './decide.ts'
