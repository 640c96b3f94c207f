/**
 * HostedControlPlanes: from one object to everything that a cluster needs on the management side.
 *
 * A pass of `controller.ts` looks (`observe.ts`), says how the control plane is (`status.ts`), makes ways in and Secrets, and runs the components. Or it
 * takes the control plane down.
 *
 * - `conditions.ts`: all conditions of one look. `health.ts` judges the parts, `availability.ts` the whole.
 * - `ways-in.ts`: what has to be reached from outside. `publishing.ts` makes it so, `endpoints.ts` reads where it is.
 * - `secrets.ts`: kubeconfigs and the first password. `core-ignition.ts`: what nodes of every pool are configured with, and whom they trust.
 * - `deletion.ts`: what is cleaned up before a control plane goes.
 *
 * What is not here: certificates. The API of a guest comes from somewhere else (`../guests/`), so that nothing signs them yet.
 */
export { availability, type AvailabilityFacts } from './availability.ts'
export { controlPlaneHealth, type ControlPlaneHealth, type ObservedHealth } from './conditions.ts'
export { hostedControlPlane, type HostedControlPlaneOptions } from './controller.ts'
export { decideControlPlaneDeletion, type ObservedControlPlaneDeletion, type SecurityGroupDeletion } from './deletion.ts'
export * from './health.ts'
