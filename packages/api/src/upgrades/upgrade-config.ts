import { column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { choice, flag, int32, knownWord, list, object, optional, text, time } from '../schema/index.ts'

/** The stages of one upgrade, in order; Failed ends it from any of them. Unknown may be read, and is never written. */
export const upgradePhases = ['New', 'Pending', 'Upgrading', 'Upgraded', 'Failed', 'Unknown'] as const

const spec = object('The upgrade that is asked for.', {
  desired: object('The release to go to: an image, or a version in a channel.', {
    version: optional(text('The version, without a leading v.')),
    channel: optional(text('The channel that offers it.')),
    image: optional(text('The release image, by digest.')),
  }),
  upgradeAt: text('When to start: RFC 3339.'),
  PDBForceDrainTimeout: int32('Minutes after which pods that a disruption budget holds back are deleted all the same.', { minimum: 0 }),
  type: choice('Whose way of upgrading to follow.', ['OSD', 'ARO']),
  capacityReservation: optional(flag('Whether a spare worker per zone is added for the time of the upgrade.')),
})

const condition = object('How one step of the upgrade went.', {
  type: text('The step.'),
  status: knownWord('Whether it is done.', ['True', 'False', 'Unknown']),
  reason: optional(text('Why, in a word.')),
  message: optional(text('Why, in words.')),
  startTime: optional(time('When the step began.')),
  completeTime: optional(time('When it was done.')),
  lastProbeTime: optional(time('When it was looked at last.')),
  lastTransitionTime: optional(time('When the status changed last.')),
})

const status = object('The upgrades that this object has asked for.', {
  history: optional(
    list(
      'One entry per version, newest first.',
      object('One upgrade.', {
        version: optional(text('The version it goes to.')),
        precedingVersion: optional(text('The version it comes from.')),
        phase: choice('How far it is.', upgradePhases),
        conditions: optional(list('Its steps, newest first.', condition)),
        startTime: optional(time('When it began.')),
        completeTime: optional(time('When it was done.')),
        workerStartTime: optional(time('When the first worker was changed.')),
        workerCompleteTime: optional(time('When the last one was.')),
      }),
    ),
  ),
})

/** A managed upgrade of the cluster that the object is in. The only one that counts is named `managed-upgrade-config`. */
export const UpgradeConfig = defineKind({
  group: 'upgrade.managed.openshift.io',
  version: 'v1alpha1',
  kind: 'UpgradeConfig',
  plural: 'upgradeconfigs',
  shortNames: ['upgrade'],
  description: 'A managed upgrade of this cluster.',
  spec,
  status,
  printerColumns: [
    column('desired_version', '.spec.desired.version'),
    column('phase', '.status.history[0].phase'),
    column('stage', '.status.history[0].conditions[0].type'),
    column('status', '.status.history[0].conditions[0].status'),
    column('reason', '.status.history[0].conditions[0].reason'),
    column('message', '.status.history[0].conditions[0].message'),
  ],
})
export type UpgradeConfig = ObjectOf<typeof UpgradeConfig>
