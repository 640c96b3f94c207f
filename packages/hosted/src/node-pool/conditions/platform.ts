import { isFalse, normalisedMinor, parseVersion, referenceVersion, tryParseVersion } from '@windlass/core'
import type { Seen } from '../seen.ts'
import { adoptedTemplate, resourceTagConflicts } from '../templates/index.ts'
import { fails, holds, kept, type Outcome, removed, type Row, validationFailed, withError } from './outcome.ts'

const fine = 'All is well'
const firstMinorWithReservations = normalisedMinor(parseVersion('4.19.0'))

/** Whether the virtual machines can be moved while they run: what the provider says of each, in one condition. */
export function isLiveMigratable({ pool, platformMachines }: Seen): Outcome {
  if (pool.spec.platform.type !== 'KubeVirt' || platformMachines.length === 0) return kept
  const stuck = platformMachines.filter(({ conditions }) => isFalse(conditions, 'VMLiveMigratable'))
  if (stuck.length === 0) return holds(fine)
  const lines = stuck.map(({ name, conditions }) => {
    const { reason = '', message = '' } = conditions.find(({ type }) => type === 'VMLiveMigratable') ?? {}
    return `Machine ${name}: ${reason}: ${message}\n`
  })
  return fails(
    'NotLiveMigratable',
    `${stuck.length} of ${platformMachines.length} machines are not live migratable\n${lines.toSorted().join('')}`,
  )
}

/** Old control planes do not know how to use capacity that was reserved. */
export function isPlatformConfigValid({ pool, cluster, settings }: Seen): Outcome {
  const reservation = pool.spec.platform.aws?.placement?.capacityReservation
  const version = tryParseVersion(referenceVersion(cluster.status ?? {}, settings.skew.source))
  if (reservation !== undefined && version !== undefined && normalisedMinor(version) < firstMinorWithReservations) {
    return fails('AWSError', `capacityReservation is only supported on 4.19+ clusters, and the control plane is at ${version.text}`)
  }
  return holds(fine)
}

/** Judged after the chain, once it is known that machines can be made. */
export const platformRows: readonly Row[] = [
  ['ValidPlatformImage', isPlatformImageValid],
  ['AWSSecurityGroupAvailable', isSecurityGroupAvailable],
  ['AWSResourceTagConflict', hasTagConflict],
]

const imageWords: Readonly<Record<string, string>> = { AWS: 'AMI', KubeVirt: 'KubeVirt Image', PowerVS: 'PowerVS Image' }

/** Machines of a pool that was adopted start from what its template says, whether or not anybody knows what else they could start from. */
function isPlatformImageValid(seen: Seen): Outcome {
  const { pool, bootImage, key, target } = seen
  const wanted = target()
  const osProblem = wanted.is === 'found' && 'osProblem' in wanted.value ? wanted.value.osProblem : undefined
  if (osProblem !== undefined) return fails(validationFailed, osProblem, withError(`NodePool ${key}: ${osProblem}`))
  const word = imageWords[pool.spec.platform.type]
  if (bootImage === undefined || word === undefined) return removed
  if (bootImage.is === 'found') return holds(`Bootstrap ${word} is "${bootImage.value}"`)
  if (adoptedTemplate(seen) !== undefined) return kept
  const message = `Couldn't discover a ${word} for release image "${pool.spec.release.image}": ${bootImage.problem}`
  return fails(validationFailed, message, withError(`NodePool ${key}: ${message}`))
}

function isSecurityGroupAvailable({ pool, cluster }: Seen): Outcome {
  if (pool.spec.platform.type !== 'AWS') return removed
  const group = cluster.status?.platform?.aws?.defaultWorkerSecurityGroupID ?? ''
  return group === ''
    ? fails('DefaultSGNotReady', 'Waiting for the default security group of the HostedCluster')
    : holds('NodePool has a default security group')
}

function hasTagConflict({ pool, cluster }: Seen): Outcome {
  if (pool.spec.platform.type !== 'AWS') return removed
  const conflicts = resourceTagConflicts(pool, cluster)
  if (conflicts.length === 0) return fails('NoTagConflict')
  return holds(`these tags are those of the HostedCluster, not those of the NodePool: ${conflicts.join(', ')}`, 'TagConflictDetected')
}
