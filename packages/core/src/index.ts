/**
 * Rules without I/O, shared by every other package.
 *
 * Time, chance and text:
 * - `clock/`: time as an argument. `systemClock` in production, `VirtualClock` in tests and simulations.
 * - `random/`: chance and identifiers as an argument. `systemRandom`, `seededRandom(seed)`.
 * - `time/`, `duration/`: moments and lengths of time as text, the way Kubernetes writes them.
 * - `conditions/`: status conditions and the rule for their transition times.
 *
 * Versions and updates of control planes:
 * - `version/`: OpenShift versions, their order and their distance; the one place that knows that 5.0 is 4.23.
 * - `release/`: what makes two releases one.
 * - `completion/`: when an update is complete. `update-history/`: how it is recorded.
 * - `active-versions/`: which versions may still run. From there, `skew/`: which versions nodes may have, and `exposure/`: whether a
 *   vulnerability is fixed.
 * - `rollout/`: how an update is getting on, and what it waits for. `estimates/`: when it will be done.
 */
export * from './active-versions/index.ts'
export * from './clock/index.ts'
export * from './completion/index.ts'
export * from './conditions/index.ts'
export * from './duration/index.ts'
export * from './estimates/index.ts'
export * from './exposure/index.ts'
export * from './random/index.ts'
export * from './release/index.ts'
export * from './rollout/index.ts'
export * from './skew/index.ts'
export * from './time/index.ts'
export * from './update-history/index.ts'
export * from './version/index.ts'
