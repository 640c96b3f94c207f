import { Deployment, HostedControlPlane } from '@windlass/api'
import { findCondition, isTrue, shortDuration, transitionTime } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { patch, plan, refOf, requeue, requeueAfter, status, wait } from '@windlass/kube'
import type { Action, Plan } from '@windlass/kube'
import type { Leftovers } from '../hosted-cluster/leftovers.ts'
import { asExpected, isNot } from '../hosted-cluster/verdict.ts'
import type { Verdict } from '../hosted-cluster/verdict.ts'
import { Annotation, Finalizer } from '../hosted-cluster/wire.ts'
import { withVerdicts } from './conditions.ts'

/** How long the guest may take to give back what it has in the cloud, since it was last heard of. */
const patience = 10 * 60_000
const pollMilliseconds = 60_000

/** What became of deleting the default security group of the cluster in AWS. */
export type SecurityGroupDeletion =
  /** On other platforms, or when there is none. */
  { readonly is: 'done' } | { readonly is: 'failed'; readonly code: string; readonly message: string }

export interface ObservedControlPlaneDeletion {
  readonly controlPlane: HostedControlPlane
  /** The Deployment of the guest's version operator: it would bring back what is being cleaned up. */
  readonly versionOperator: Deployment | undefined
  /** Tried before each pass, while there is anything to clean up. */
  readonly securityGroup: SecurityGroupDeletion
  /** What serves the API of the guest: it goes last, because the clean-up needs it. Nothing unless told. */
  readonly guest?: Leftovers
}

/** Failures that trying again does not mend; what is left stays in the cloud. */
const skipped: ReadonlySet<string> = new Set(['UnauthorizedOperation', 'InvalidIdentityToken', 'DependencyViolation'])

/** Reasons for which the guest's clean-up is over though it is not complete. */
const abandoned: ReadonlySet<string> = new Set(['CloudResourcesCleanupSkipped', 'CloudResourcesDeletionTimedOut'])

type Told = readonly (readonly [type: string, verdict: Verdict])[]

/** Takes a control plane down: first what the guest has in the cloud, if that is wanted and can be done, then our finalizer. */
export function decideControlPlaneDeletion(observed: ObservedControlPlaneDeletion, now: Instant): Plan {
  const { controlPlane, securityGroup } = observed
  if (!cleansUp(controlPlane)) return released(observed, [], now)
  const told: Told = isOnAws(controlPlane) ? [['AWSDefaultSecurityGroupDeleted', securityGroupVerdict(securityGroup)]] : []
  if (isOnAws(controlPlane) && securityGroup.is === 'failed' && !skipped.has(securityGroup.code)) {
    return plan(...statusOf(controlPlane, told, now), requeue(`the default security group to be deleted: ${securityGroup.message}`))
  }
  return cleanUp(observed, told, now)
}

/** Asked for, and with credentials that the cloud accepts. */
function cleansUp({ metadata, status }: HostedControlPlane): boolean {
  const identity = findCondition(status?.conditions, 'ValidAWSIdentityProvider')
  return metadata.annotations?.[Annotation.cleanupCloudResources] === 'true' && (identity === undefined || identity.status === 'True')
}

function isOnAws({ spec }: HostedControlPlane): boolean {
  return spec.platform.type === 'AWS'
}

function securityGroupVerdict(deletion: SecurityGroupDeletion): Verdict {
  if (deletion.is === 'done') return asExpected('All is well')
  const message = deletion.code === 'DependencyViolation' ? deletion.message : 'failed to delete AWS default security group'
  return isNot('AWSError', message)
}

function cleanUp(observed: ObservedControlPlaneDeletion, told: Told, now: Instant): Plan {
  const { controlPlane, versionOperator } = observed
  const conditions = controlPlane.status?.conditions
  const destroyed = findCondition(conditions, 'CloudResourcesDestroyed')
  if (destroyed?.status === 'True' || (destroyed?.status === 'False' && abandoned.has(destroyed.reason))) {
    return released(observed, told, now)
  }
  if (isTrue(conditions, 'CVOScaledDown')) {
    const since = transitionTime(conditions, destroyed === undefined ? 'CVOScaledDown' : 'CloudResourcesDestroyed') ?? now
    if (now - since <= patience) {
      return plan(...statusOf(controlPlane, told, now), requeueAfter(pollMilliseconds, 'the guest to give back what it has in the cloud'))
    }
    const last = destroyed?.message ? ` (last status: ${destroyed.message})` : ''
    const message = `Giving up on cloud resource deletion after ${shortDuration(now - since)}${last}`
    return released(observed, [...told, ['CloudResourcesDestroyed', isNot('CloudResourcesDeletionTimedOut', message)]], now)
  }
  const running = versionOperator?.status?.replicas ?? 0
  const isScaledDown: Told = running > 0 ? [] : [['CVOScaledDown', { status: 'True', reason: 'CVOScaledDown', message: '' }]]
  return plan(
    ...scaleDown(versionOperator),
    ...statusOf(controlPlane, [...told, ...isScaledDown], now),
    requeueAfter(
      pollMilliseconds,
      running > 0 ? 'the version operator of the guest to stop' : 'the guest to give back what it has in the cloud',
    ),
  )
}

function scaleDown(versionOperator: Deployment | undefined): readonly Action[] {
  if (versionOperator === undefined || (versionOperator.spec.replicas ?? 1) === 0) return []
  return [patch(Deployment, refOf(versionOperator), { spec: { replicas: 0 } }, 'it would bring back what is being cleaned up')]
}

/** Lets the control plane go. Nobody can add a finalizer to what is being deleted, so there is none that we could drop. */
function released({ controlPlane, guest }: ObservedControlPlaneDeletion, told: Told, now: Instant): Plan {
  if (guest !== undefined && guest.remaining.length > 0) {
    return plan(...statusOf(controlPlane, told, now), ...guest.actions, wait(`${guest.remaining.join(', ')} to be gone`))
  }
  const { finalizers = [] } = controlPlane.metadata
  const others = finalizers.filter((finalizer) => finalizer !== Finalizer.cluster)
  const writes = statusOf(controlPlane, told, now)
  if (others.length === finalizers.length) return plan(...writes, wait(`the finalizers ${others.join(', ')} to be removed`))
  return plan(...writes, patch(HostedControlPlane, refOf(controlPlane), { metadata: { finalizers: others } }, 'it is cleaned up after'))
}

function statusOf(controlPlane: HostedControlPlane, told: Told, now: Instant): readonly Action[] {
  const before = controlPlane.status?.conditions ?? []
  const conditions = withVerdicts(controlPlane, told, now)
  if (conditions === before || conditions.length === 0) return []
  return [status(HostedControlPlane, controlPlane, { conditions }, 'this is how the deletion goes on', { ifUnchanged: true })]
}
