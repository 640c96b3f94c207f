/**
 * Whether a cluster is well enough to be upgraded. Each check is a decision over what was seen; a check that could not look has failed.
 *
 * - `check.ts`: what a check finds, and the gauge that says so.
 * - `alerts.ts`, `operators.ts`: what blocks an upgrade. `capacity.ts`, `nodes.ts`, `budgets.ts`: what people are told about.
 * - `deployment-validation.ts`: reads what the Deployment Validation Operator says.
 *
 * How they are put together before and after an upgrade is in `../steps/`.
 */
export { alertsQuery, checkAlerts } from './alerts.ts'
export { checkBudgets, isBlocking, isConsidered } from './budgets.ts'
export { checkCapacity } from './capacity.ts'
export { type Finding, gaugesOf, type HealthCheck, type HealthLabels, type HealthReason, healthReasons } from './check.ts'
export { type DeploymentValidation, readBudgetReport } from './deployment-validation.ts'
export { checkCordoned, checkPressure } from './nodes.ts'
export { checkOperators } from './operators.ts'
