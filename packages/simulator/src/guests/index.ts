/**
 * What hosted control planes wait for and do not run themselves: guests that live, and operators that make more than they are.
 *
 *   createOperator({ client, controllers: [...workloadControllers({ seed, speed }), ...controlPlaneControllers({ seed, speed, releases, connect })], … })
 *
 * - `controller.ts`: follows control planes. `wanted.ts`: what one wants of its guest. `guests.ts`: all that live. `living-guest.ts`: one of them.
 * - `operand-controller.ts`, `operands.ts`: what operators of a control plane make beside them.
 * - `cloud-resources.ts`: what guests have in the cloud goes with them.
 * - `control-plane.ts`: what all look at. `release-lookup.ts`: what a release image is; whoever starts the simulator knows.
 */
import type { AnyController } from '@windlass/kube'
import { cloudResources } from './cloud-resources.ts'
import { guestLife, type ControlPlaneOptions } from './controller.ts'
import { operands } from './operand-controller.ts'

export type { KnownRelease, ReleaseLookup } from './release-lookup.ts'
export type { ControlPlaneOptions } from './controller.ts'

/** Everything that hosted control planes wait for besides workloads, for all of them at once. Runs against the management cluster. */
export function controlPlaneControllers(options: ControlPlaneOptions): readonly AnyController[] {
  return [guestLife(options), operands(options), cloudResources(options)]
}
