/**
 * A process: what runs in it, in which order it starts and stops, and how it is asked how it is.
 *
 * - `runnable.ts`: something that runs. `group.ts`: some that start and stop together.
 * - `manager.ts`: the whole; who leads is `election/`'s business.
 * - `endpoints.ts`: ports for people, probes and Prometheus; `routes.ts` is what they answer, `health.ts` the form of it, `inspection.ts` what
 *   they see of the process.
 */
export { type EndpointOptions, type Endpoints, serveEndpoints } from './endpoints.ts'
export type { HealthCheck } from './health.ts'
export type { Inspection } from './inspection.ts'
export { createManager, type ElectionChoice, type Manager, type ManagerOptions } from './manager.ts'
export type { Runnable } from './runnable.ts'
