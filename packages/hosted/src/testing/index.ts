/**
 * Stand-ins for the parts of a cluster that controllers of hosted clusters wait for and do not run themselves. For tests.
 *
 * - `workloads.ts`: pods come up, jobs end, load balancers get an address. `operands.ts`: operators in a control plane make what they look after.
 * - `guests.ts`: the version operators of guests.
 * - `fleet.ts`: a management cluster with all of these, and the words to use it. `story.ts`: what people do there. `invariants.ts`: what always
 *   holds.
 */
export { guestVersions } from './guests.ts'
export { invariants } from './invariants.ts'
export { operands } from './operands.ts'
export { Story } from './story.ts'
export { brokenAnnotation, workloads } from './workloads.ts'
export * as fleet from './fleet.ts'
