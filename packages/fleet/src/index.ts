/**
 * Answers for a whole fleet.
 *
 * - `contract/`: what is answered, as JSON.
 * - `members/`: the Kubernetes APIs that a fleet is read from. `model/`: all of their clusters, live. `answers/`: how answers come from objects.
 * - `causes/`: why a cluster waits.
 * - `http/`: the server of the web page.
 */
export type * from './contract/index.ts'
export {
  attentions,
  classicExposure,
  type ClassicParts,
  classicRow,
  exposureStates,
  exposureView,
  figuresOf,
  hostedExposure,
  type HostedParts,
  hostedRow,
  InvalidFixError,
  type Look,
  parseFixes,
  skewVerdicts,
  upgradeView,
  usualYardstick,
  type Yardstick,
} from './answers/index.ts'
export { decideCauses, type Evidence, explain, gather, type Means } from './causes/index.ts'
export {
  createDashboard,
  type Credential,
  type Dashboard,
  type DashboardOptions,
  type DashboardServer,
  type Door,
  isThisMachine,
  type Tls,
} from './http/index.ts'
export { type KubeconfigMembersOptions, memberName, membersByContext, type MemberSource } from './members/index.ts'
export * from './model/index.ts'
