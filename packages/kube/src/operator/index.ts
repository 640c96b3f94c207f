/** A process that runs controllers, put together from the other parts: `operator.ts`. */
export { type CacheFollower, createOperator, type OperatorOptions } from './operator.ts'
