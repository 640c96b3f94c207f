/** When the workers began to change and when they were done, from the machine config pool `worker`: `decide.ts`. */
export { decidePool, isWorkerPool, type PoolView, withWorkerTimes } from './decide.ts'
