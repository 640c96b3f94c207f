/**
 * Rules without I/O, shared by every other package.
 *
 * - `clock/`: time as an argument. `systemClock` in production, `VirtualClock` in tests and simulations.
 * - `random/`: chance and identifiers as an argument. `systemRandom`, `seededRandom(seed)`.
 * - `time/`, `duration/`: moments and lengths of time as text, the way Kubernetes writes them.
 * - `version/`: OpenShift versions, their order and their distance; the one place that knows that 5.0 is 4.23.
 * - `conditions/`: status conditions and the rule for their transition times.
 */
export * from './clock/index.ts'
export * from './conditions/index.ts'
export * from './duration/index.ts'
export * from './random/index.ts'
export * from './time/index.ts'
export * from './version/index.ts'
