import { HostedCluster } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { behind, type Cause, causeOf, linkTo, placeOf } from '../cause.ts'
import type { HostedEvidence } from '../evidence.ts'
import { upgradeTroubles } from '../classic/index.ts'

/** The condition whose message begins so has a row of its own. */
const toldElsewhere = /^(SupportedHostedCluster|ValidConfiguration|ValidReleaseImage|ReconciliationActive) condition is false/

/** A release that is asked for and not passed on, because the guest objects or because nobody knows whether it does. */
export function gateCauses(evidence: HostedEvidence): readonly Cause[] {
  const { hostedCluster, guest, components } = evidence
  const { conditions } = hostedCluster.status ?? {}
  const progressing = findCondition(conditions, 'Progressing')
  if (progressing?.status !== 'False' || progressing.reason !== 'Blocked' || toldElsewhere.test(progressing.message)) return []
  const place = placeOf(HostedCluster, hostedCluster, 'management')
  const upgradeable = findCondition(conditions, 'ClusterVersionUpgradeable')
  const why = progressing.message.startsWith('ClusterVersionUpgradeable') && upgradeable !== undefined ? upgradeable.message : ''
  const link = linkTo(place, `the release that it is asked for is not passed on: ${progressing.message}${why === '' ? '' : ` (${why})`}`, {
    reason: progressing.reason,
    since: progressing.lastTransitionTime,
  })
  const explains = Math.max(1, components.length)
  const deeper = guest.clusterVersion === undefined ? [] : upgradeTroubles(guest.clusterVersion, guest.operators)
  if (deeper.length > 0) return deeper.map((each) => causeOf(behind(link, each), explains))
  const remedy =
    'Do what the guest asks for. At your own risk: the annotation hypershift.openshift.io/force-upgrade-to with the pullspec of the release forces it.'
  return [causeOf({ weight: 'Held', links: [link], remedy }, explains)]
}
