import type { HostedControlPlane } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { unknown } from './verdict.ts'
import type { Verdict } from './verdict.ts'

type ControlPlane = HostedControlPlane | undefined

/** What the control plane says of itself; undefined when it does not, or is not there. */
export function saidBy(controlPlane: ControlPlane, type: string): Verdict | undefined {
  const condition = findCondition(controlPlane?.status?.conditions, type)
  return condition === undefined ? undefined : { status: condition.status, reason: condition.reason, message: condition.message }
}

/** What a copy of a condition says that nobody reports. */
const unreported = 'Condition not found in the HCP'

/** Whether a condition of a HostedCluster says only that nobody reports it. */
export function isUnreported({ status, message }: { readonly status?: string; readonly message?: string }): boolean {
  return status === 'Unknown' && message === unreported
}

/** What the control plane says, or that it does not. */
export function copyOf(controlPlane: ControlPlane, type: string): Verdict {
  const absent = controlPlane === undefined ? 'The hosted control plane is not found' : unreported
  return saidBy(controlPlane, type) ?? unknown(absent)
}

/** What the version operator of the guest says, through the control plane. */
export function versionCondition(controlPlane: ControlPlane, type: string): Verdict {
  return saidBy(controlPlane, type) ?? unknown('Condition not found in the CVO.')
}

const opposites = { True: 'False', False: 'True', Unknown: 'Unknown' } as const

/** The guest says what fails; on a cluster, True is good. Unknown is unknown either way. */
export function inverse(verdict: Verdict): Verdict {
  return { ...verdict, status: opposites[verdict.status] }
}
