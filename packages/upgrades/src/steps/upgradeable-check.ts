import type { ClusterVersion } from '@windlass/api'
import { findCondition, type Instant, parseTime, tryParseVersion, type Version } from '@windlass/core'
import { currentVersion } from '../cluster/cluster-version.ts'
import { failed, type Pass, type Step, stepDone, unlessCommenced, type Verdict } from './step.ts'

/**
 * A cluster can say that it must not go to another minor yet. That is an error and not a failure: the administrator may put it right in time. If not, the
 * window ends the attempt, and this message is what people are told.
 */
export const upgradeableCheck: Step = {
  type: 'IsClusterUpgradable',
  name: 'Upgradeable check',
  decide: (pass) => unlessCommenced(pass, () => decide(pass)),
}

function decide({ upgradeConfig: { spec }, facts }: Pass): Verdict {
  if ('problem' in facts.clusterVersion) return failed(facts.clusterVersion.problem)
  const clusterVersion = facts.clusterVersion.value
  const currentText = currentVersion(clusterVersion)
  const current = tryParseVersion(currentText)
  const desired = tryParseVersion(spec.desired.version)
  if (current === undefined) return failed(`the current version ${JSON.stringify(currentText ?? '')} is no semantic version`)
  if (desired === undefined) return failed(`the desired version ${JSON.stringify(spec.desired.version ?? '')} is no semantic version`)
  const condition = findCondition(conditionsOf(clusterVersion), 'Upgradeable')
  if (condition?.status !== 'False' || !isLaterMinor(desired, current)) return stepDone()
  const at = dateText(parseTime(spec.upgradeAt))
  const why = `${condition.reason ?? ''}: ${condition.message ?? ''}`
  return failed(`cluster upgrade to version ${desired.text} on ${at} has been cancelled: ${why}`)
}

const conditionsOf = ({ status }: ClusterVersion) => status?.conditions

/** By major and minor: from 4.20 to 5.0 is such a step, though its minor is lower. */
function isLaterMinor(desired: Version, current: Version): boolean {
  return desired.major > current.major || (desired.major === current.major && desired.minor > current.minor)
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sat Jun 20 12:00:00 UTC 2020`, the day padded with a blank. */
export function dateText(at: Instant | undefined): string {
  if (at === undefined) return 'an unknown date'
  const date = new Date(at)
  const day = String(date.getUTCDate()).padStart(2, ' ')
  const time = date.toISOString().slice(11, 19)
  return `${days[date.getUTCDay()] ?? ''} ${months[date.getUTCMonth()] ?? ''} ${day} ${time} UTC ${date.getUTCFullYear()}`
}
