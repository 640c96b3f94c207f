/** MachineSets of a classic cluster: a number of machines that are alike. `decide.ts` is the rule, `controller.ts` what it looks at. */
export { machineSetController } from './controller.ts'
