/** MachineHealthChecks: machines that do not work are deleted, so that new ones are made. `decide.ts` is the rule, `controller.ts` what it looks at. */
export { machineHealthChecks } from './controller.ts'
