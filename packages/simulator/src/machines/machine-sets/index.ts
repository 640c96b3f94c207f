/** MachineSets: a number of machines that are alike. `decide.ts` is the rule, `controller.ts` what it looks at. */
export { machineSets } from './controller.ts'
