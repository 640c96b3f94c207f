/** A process that runs controllers, put together from the other parts: `operator.ts`. */
export { createOperator, type OperatorOptions } from './operator.ts'
