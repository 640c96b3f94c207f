/**
 * Which versions run on the management side of a hosted cluster. The rules of the history are `@windlass/core`'s.
 *
 * - `decide.ts`: what one look at a control plane comes to. `controller.ts`: the controller that does this alone.
 */
export { controlPlaneVersion } from './controller.ts'
export { alwaysExpected, decide as decideControlPlaneVersion, wantedPullspec } from './decide.ts'
export type { Observed as ObservedControlPlane, ReleaseLookup } from './decide.ts'
