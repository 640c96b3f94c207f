import { HostedControlPlane } from '@windlass/api'
import type { ClusterVersion } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { plan, status } from '@windlass/kube'
import type { Plan } from '@windlass/kube'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { asExpected, unknown } from '../hosted-cluster/verdict.ts'
import type { Verdict } from '../hosted-cluster/verdict.ts'
import { withVerdicts } from '../hosted-control-plane/conditions.ts'
import { versionStatusOf } from './version-status.ts'

/** Conditions of the guest's ClusterVersion that its control plane repeats, with `ClusterVersion` before their names. */
const repeated = ['Failing', 'ReleaseAccepted', 'RetrievedUpdates', 'Progressing', 'Upgradeable', 'Available'] as const

const nothingInTheWay: Verdict = { status: 'True', reason: 'FromClusterVersion', message: 'Condition not found in the CVO.' }

/**
 * Repeats on a control plane what its guest says about its version: `clusterVersion` is the object named `version` there, or why it could not be
 * read. The last known version stays while the guest cannot be reached.
 *
 * What is surprising: a guest that has no objection to upgrades says nothing about them, so silence means upgradeable. Not being able to ask does not.
 */
export function decideStatusBridge(controlPlane: HostedControlPlane, clusterVersion: Lookup<ClusterVersion>, now: Instant): Plan {
  const before = controlPlane.status
  const reported = clusterVersion.is === 'found' ? clusterVersion.value.status : undefined
  const verdicts = [
    ...repeated.map((type) => [`ClusterVersion${type}`, verdictOf(type, clusterVersion)] as const),
    ['ConfigOperatorReconciliationSucceeded', reachOf(clusterVersion)] as const,
  ]
  const conditions = withVerdicts(controlPlane, verdicts, now)
  const versionStatus = reported === undefined ? before?.versionStatus : versionStatusOf(reported, before?.versionStatus)
  const { version, image } = reported?.desired ?? {}
  const deprecated = reported === undefined ? {} : { version, releaseImage: image }
  const isSame =
    conditions === before?.conditions &&
    versionStatus === before.versionStatus &&
    (reported === undefined || (before.version === version && before.releaseImage === image))
  if (isSame) return plan()
  const fields = { conditions, ...(versionStatus === undefined ? {} : { versionStatus }), ...deprecated }
  return plan(status(HostedControlPlane, controlPlane, fields, 'this is what the guest says about its version', { ifUnchanged: true }))
}

function verdictOf(type: string, clusterVersion: Lookup<ClusterVersion>): Verdict {
  if (clusterVersion.is === 'failed') return unknown(`failed to get clusterVersion: ${clusterVersion.problem}`)
  const condition = findCondition(clusterVersion.value.status?.conditions, type)
  if (condition === undefined) return type === 'Upgradeable' ? nothingInTheWay : unknown('Condition not found in the CVO.')
  return { status: statusOf(condition.status), reason: reasonOf(condition.reason), message: condition.message ?? '' }
}

/** The bridge does the part of the config operator that there is: it reads the guest. */
function reachOf(clusterVersion: Lookup<ClusterVersion>): Verdict {
  return clusterVersion.is === 'found'
    ? asExpected('The guest cluster is reached')
    : unknown(`the guest cluster could not be looked at: ${clusterVersion.problem}`)
}

const word = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

/** There need not be one in the guest. Here there must, and in one form: otherwise the whole status would be refused. */
function reasonOf(text: string | undefined): string {
  return text !== undefined && word.test(text) ? text : 'FromClusterVersion'
}

/** Operators may write any word there. */
function statusOf(text: string): Verdict['status'] {
  return text === 'True' || text === 'False' ? text : 'Unknown'
}
