/**
 * Telling people and OCM how an upgrade is getting on, each thing once.
 *
 * - `states.ts`: what can be told, and which state of a policy may follow which. `descriptions.ts`: in which words.
 * - `sent-record.ts`: the durable record of what was told. `decide.ts`: whether to tell it now.
 * - `ocm.ts`: how it is told to OCM.
 */
export { decideNotification, gaugesAfter, type NotificationDecision, type NotificationRequest, sentQuery } from './decide.ts'
export { describeState, isSameOccasion } from './descriptions.ts'
export {
  decideOcm,
  type OcmDecision,
  type OcmNotification,
  policyOf,
  type ServiceLog,
  stateOf,
  type UpgradePolicy,
  type UpgradePolicyState,
} from './ocm.ts'
export { isOwed, isTakenOver, recordOwed, recordSent, recordTakenOver, sentStates, wasSent } from './sent-record.ts'
export { isServiceLog, type NotificationState, notificationStates, type PolicyState, transitions } from './states.ts'
