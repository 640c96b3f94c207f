/**
 * What a fleet answers, as JSON: what programs get from `-o json`, and what the web page gets from its server. Types only, so that the page can share them.
 *
 * - `place.ts`: which cluster, which object. `members.ts`: the Kubernetes APIs that the fleet is read from.
 * - `fleet.ts`: all clusters at once, one row each, and the figures above them. `changes.ts`: how it goes on from there, live.
 * - `cluster.ts`: one cluster in full: both histories, components, pools, conditions. `upgrade.ts`: the steps of a managed upgrade.
 * - `why.ts`: why it waits, from the cluster down to the object at the root. `exposure.ts`: who is exposed to what. `events.ts`: what happened.
 * - `session.ts`: who looks, and what they may do.
 *
 * Times are text as Kubernetes writes it (RFC 3339, whole seconds); lengths of time are whole seconds. What is not known is left out: there are no nulls.
 */
export type * from './changes.ts'
export type * from './cluster.ts'
export type * from './events.ts'
export type * from './exposure.ts'
export type * from './fleet.ts'
export type * from './members.ts'
export type * from './place.ts'
export type * from './session.ts'
export type * from './upgrade.ts'
export type * from './why.ts'
