/**
 * Controllers: look at an object whenever something that concerns it has changed, decide what to do about it, do it.
 *
 * - `definition.ts`: what a controller is. `predicates.ts`, `watching.ts`, `sources.ts`: the words to say what it hears of.
 * - `runtime.ts`: what it runs on, and what comes of it. `runner.ts`: puts a definition and a runtime together, and runs them.
 * - `subscriptions.ts`: from changes in caches to keys in the queue. `workers.ts`: from keys in the queue to passes.
 * - `pass-runner.ts`: one pass (`pass.ts`): observe, decide and act (`reconciler.ts`), then what follows (`conclusion.ts`, `verdict.ts`).
 * - `inherited.ts`: what another process looked after before is not believed blindly.
 * - `own-writes.ts`: a pass waits until it can see what the last one has written. `deadline.ts`: many limits, one timer. `synced.ts`: the first wait.
 */
export * from './definition.ts'
export {
  always,
  and,
  annotationChanged,
  changed,
  deletion,
  generationChanged,
  labelChanged,
  not,
  or,
  resourceVersionChanged,
} from './predicates.ts'
export { createController } from './runner.ts'
export type { ControllerRunner, ControllerRuntime } from './runtime.ts'
export { every } from './sources.ts'
export { CacheSyncError } from './synced.ts'
export { watching } from './watching.ts'
