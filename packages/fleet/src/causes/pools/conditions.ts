import { type capi, NodePool } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { type Cause, causeOf, linkTo, placeOf, type Weight } from '../cause.ts'
import { mergePatch } from '../commands.ts'

/** A condition of a pool that stands in its way. */
interface Row {
  readonly type: string
  /** Which status is bad; False unless told. */
  readonly bad?: 'True'
  readonly weight: Weight
  readonly says: string
  readonly remedy?: string
  /** Reasons for which it is as it should be, or follows from something else. */
  readonly except?: readonly string[]
}

const rows: readonly Row[] = [
  {
    type: 'ValidReleaseImage',
    weight: 'Broken',
    says: 'its release is refused',
    remedy: 'Ask for a release that the control plane allows (windlass skew shows which), or upgrade the control plane first.',
  },
  { type: 'UpdateManagementEnabled', weight: 'Broken', says: 'how it is to be updated makes no sense', remedy: 'Correct spec.management.' },
  { type: 'IgnitionEndpointAvailable', weight: 'Waiting', says: 'its machines cannot get their configuration yet' },
  { type: 'ValidArchPlatform', weight: 'Broken', says: 'its architecture does not go with the cluster' },
  {
    type: 'ValidMachineConfig',
    weight: 'Broken',
    says: 'its configuration is refused',
    remedy: 'Correct the ConfigMap that the message names (spec.config).',
  },
  {
    type: 'ValidGeneratedPayload',
    weight: 'Broken',
    says: 'nothing can be made for its machines from its configuration',
    remedy: 'Correct what the message names; the payload is made anew by itself.',
    except: ['NotFound', 'FailedToGet', 'CloudConfigPending'],
  },
  { type: 'ValidPlatformImage', weight: 'Broken', says: 'there is no image for its machines' },
  { type: 'ValidPlatformConfig', weight: 'Broken', says: 'its settings for the platform are refused' },
  {
    type: 'ValidTuningConfig',
    weight: 'Broken',
    says: 'its tuning is refused',
    remedy: 'Correct the ConfigMap that the message names (spec.tuningConfig).',
  },
  { type: 'ValidMachineTemplate', weight: 'Broken', says: 'no template for its machines can be made' },
  { type: 'AWSSecurityGroupAvailable', weight: 'Waiting', says: 'its security group is not there' },
  { type: 'ClusterNetworkCIDRConflict', bad: 'True', weight: 'Broken', says: 'its machines have addresses that the cluster uses inside' },
  {
    type: 'AutoscalingEnabled',
    weight: 'Broken',
    says: 'it cannot be scaled by itself',
    remedy: 'Let spec.autoScaling.min be 1 or more.',
    except: ['AsExpected'],
  },
  {
    type: 'SupportedVersionSkew',
    weight: 'Notice',
    says: 'its version is too far from that of the control plane',
    remedy: 'Upgrade it: the control plane cannot go to the next minor before (windlass skew shows how far).',
  },
]

/** What the conditions of a pool say against it; its machines speak for themselves. */
export function conditionCauses(pool: NodePool): readonly Cause[] {
  const { conditions } = pool.status ?? {}
  const place = placeOf(NodePool, pool, 'management')
  return rows.flatMap(({ type, bad = 'False', weight, says, remedy, except = [] }): readonly Cause[] => {
    const condition = findCondition(conditions, type)
    if (condition?.status !== bad || except.includes(condition.reason ?? '')) return []
    const { reason, message = '', lastTransitionTime: since } = condition
    const link = linkTo(place, message === '' ? says : `${says}: ${message}`, { reason, since })
    return [
      causeOf(
        { weight, links: [link], ...(remedy === undefined ? {} : { remedy }) },
        weight === 'Notice' ? 1 : Math.max(1, pool.spec.replicas ?? 1),
      ),
    ]
  })
}

/** A pause matters while there is something to do. */
export function pauseCause(pool: NodePool): Cause | undefined {
  const active = findCondition(pool.status?.conditions, 'ReconciliationActive')
  if (active?.status !== 'False') return undefined
  const place = placeOf(NodePool, pool, 'management')
  return causeOf(
    {
      weight: 'Held',
      links: [linkTo(place, `it is paused: ${active.message ?? ''}`, { reason: active.reason, since: active.lastTransitionTime })],
      remedy: 'Let it go on when its nodes may be changed.',
      command: mergePatch(place, { spec: { pausedUntil: null } }),
    },
    Math.max(1, pool.spec.replicas ?? 1),
  )
}

/** Repair is stopped because too much is broken: what is broken is told beside it. */
export function repairCause(link: Cause['links'][0], check: capi.MachineHealthCheck): Cause | undefined {
  const allowed = findCondition(check.status?.conditions, 'RemediationAllowed')
  if (allowed?.status !== 'False') return undefined
  const { namespace = '', name = '' } = check.metadata
  const place = { kind: 'MachineHealthCheck', namespace, name, side: 'management' } as const
  const says = `it replaces none of its machines: ${allowed.message ?? 'too many are unhealthy'}`
  const trouble = {
    weight: 'Waiting',
    links: [link, linkTo(place, says, { reason: allowed.reason, since: allowed.lastTransitionTime })],
    remedy:
      'Mend machines until fewer are unhealthy than it allows, or allow more with the annotation hypershift.openshift.io/machine-health-check-max-unhealthy.',
  } as const
  return causeOf(trouble, 0)
}
