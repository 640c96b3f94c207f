import { HostedCluster, HostedControlPlane, Secret, Service } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { behind, type Cause, causeOf, linkTo, placeOf, type Trouble, type Weight } from '../cause.ts'
import { mergePatch } from '../commands.ts'
import type { HostedEvidence } from '../evidence.ts'
import { addressTroubles, nameTrouble, serviceNamed } from '../workloads/index.ts'

type Condition = NonNullable<NonNullable<HostedCluster['status']>['conditions']>[number]

/** A condition of a hosted cluster that stands in the way when it is False. */
interface Row {
  readonly type: string
  readonly weight: Weight
  /** Before its own words. */
  readonly says: string
  readonly remedy?: string
  /** While it is so, nothing that people ask of the cluster is done at all. */
  readonly stops?: true
  /** A component that it is about: when something is known to be wrong with that one, nothing is to be added. */
  readonly component?: string
  /** Reasons that say that it has not been made yet: something else comes first. */
  readonly unmade?: readonly string[]
  readonly leadsTo?: (evidence: HostedEvidence, condition: Condition, now: Instant) => readonly Trouble[]
  readonly command?: (place: Trouble['links'][0]['object']) => string
}

const rows: readonly Row[] = [
  {
    type: 'ReconciliationActive',
    weight: 'Held',
    says: 'it is paused, and nobody works on it',
    remedy: 'Let it go on when it may be changed.',
    stops: true,
    command: (place) => mergePatch(place, { spec: { pausedUntil: null } }),
  },
  {
    type: 'ValidConfiguration',
    weight: 'Broken',
    says: 'its configuration is refused',
    remedy: 'Change what the message names; nothing else of the cluster is changed until then.',
    stops: true,
  },
  { type: 'SupportedHostedCluster', weight: 'Broken', says: 'it is not supported here', stops: true },
  {
    type: 'ValidReleaseImage',
    weight: 'Broken',
    says: 'its release is refused',
    remedy: 'Ask for a release that can be had from here: spec.release.image.',
    stops: true,
    leadsTo: pullSecret,
  },
  { type: 'ValidProxyConfiguration', weight: 'Broken', says: 'its proxy configuration is refused' },
  {
    type: 'PlatformCredentialsFound',
    weight: 'Broken',
    says: 'credentials for its platform are missing',
    remedy: 'Create what the message names, in the namespace of the HostedCluster.',
    stops: true,
  },
  { type: 'ValidAWSIdentityProvider', weight: 'Broken', says: 'AWS does not accept its identity provider' },
  { type: 'ValidOIDCConfiguration', weight: 'Broken', says: 'its OIDC documents are not published' },
  { type: 'ValidAWSKMSConfig', weight: 'Broken', says: 'its KMS key cannot be used' },
  { type: 'AWSDefaultSecurityGroupCreated', weight: 'Broken', says: 'its default security group has not been created' },
  { type: 'ValidKubeVirtInfraNetworkMTU', weight: 'Broken', says: 'the network below it cannot carry its packets' },
  { type: 'ValidHostedControlPlaneConfiguration', weight: 'Broken', says: 'the management cluster cannot run it' },
  { type: 'ValidReleaseInfo', weight: 'Broken', says: 'its release lacks something' },
  { type: 'ValidIDPConfiguration', weight: 'Broken', says: 'its identity providers are refused' },
  { type: 'UnmanagedEtcdAvailable', weight: 'Broken', says: 'its etcd, which is not ours, cannot be used' },
  { type: 'InfrastructureReady', weight: 'Waiting', says: 'it cannot be reached from outside yet', leadsTo: addresses },
  { type: 'ExternalDNSReachable', weight: 'Broken', says: 'its name is not known outside', leadsTo: names },
  { type: 'EtcdAvailable', weight: 'Broken', says: 'its etcd is not available', component: 'etcd', unmade: ['StatefulSetNotFound'] },
  {
    type: 'KubeAPIServerAvailable',
    weight: 'Broken',
    says: 'its API server is not available',
    component: 'kube-apiserver',
    unmade: ['NotFound', 'StatusUnknown'],
  },
  {
    type: 'IgnitionEndpointAvailable',
    weight: 'Waiting',
    says: 'new machines cannot get their configuration',
    component: 'ignition-server',
    unmade: ['NotFound'],
  },
  { type: 'ControlPlaneConnectionAvailable', weight: 'Broken', says: 'its nodes do not reach its control plane' },
  {
    type: 'DataPlaneConnectionAvailable',
    weight: 'Broken',
    says: 'its control plane does not reach its nodes',
    component: 'konnectivity-agent',
  },
  {
    type: 'ConfigOperatorReconciliationSucceeded',
    weight: 'Broken',
    says: 'what belongs into the guest cannot be put there',
    component: 'hosted-cluster-config-operator',
  },
]

/** What the conditions of a hosted cluster say that nothing else explains. `components`: what is known to be wrong with these. */
export function conditionCauses(evidence: HostedEvidence, components: readonly Cause[], now: Instant): readonly Cause[] {
  const { hostedCluster } = evidence
  const { conditions } = hostedCluster.status ?? {}
  const place = placeOf(HostedCluster, hostedCluster, 'management')
  const told = new Set(components.flatMap(({ links }) => links.map(({ object }) => object.name)))
  const found = rows.flatMap((row): readonly Cause[] => {
    const condition = findCondition(conditions, row.type)
    if (condition?.status !== 'False') return []
    if (row.component !== undefined && told.has(row.component)) return []
    const { reason, message, lastTransitionTime: since } = condition
    const link = linkTo(place, message === '' ? row.says : `${row.says}: ${message}`, { reason, since })
    const explains = row.stops === true ? Math.max(1, evidence.components.length) : 1
    const deeper = row.leadsTo?.(evidence, condition, now) ?? []
    if (deeper.length > 0) return deeper.map((each) => causeOf(behind(link, each), explains))
    const { remedy, command } = row
    const weight = row.unmade?.includes(reason) === true ? 'Working' : row.weight
    return [
      causeOf(
        {
          weight,
          links: [link],
          ...(remedy === undefined ? {} : { remedy }),
          ...(command === undefined ? {} : { command: command(place) }),
        },
        explains,
      ),
    ]
  })
  return [...found, ...unreachable(evidence), ...failedPasses(evidence, [...components, ...found])]
}

/** A release that cannot be looked up for want of a pull secret. */
function pullSecret({ hostedCluster }: HostedEvidence, { reason, message, lastTransitionTime: since }: Condition): readonly Trouble[] {
  if (reason !== 'SecretNotFound') return []
  const { namespace = '' } = hostedCluster.metadata
  // Caches do not keep it; whoever gathers evidence reads it for this.
  const { pullSecret: wanted }: Partial<HostedCluster['spec']> = hostedCluster.spec
  const place = { kind: Secret.kind, namespace, name: wanted?.name ?? 'pull secret', side: 'management' } as const
  return [
    {
      weight: 'Broken',
      links: [linkTo(place, `it is missing, or is no pull secret: ${message}`, { reason, since })],
      remedy: 'Create it with the key .dockerconfigjson.',
    },
  ]
}

function addresses({ controlPlane }: HostedEvidence, condition: Condition, now: Instant): readonly Trouble[] {
  const troubles = addressTroubles(controlPlane, now)
  // What is waited for is named where that is known; everything else without an address only comes with it.
  const named = troubles.filter(({ links }) => condition.message.includes(links[0].object.name))
  return named.length > 0 ? named : troubles
}

function names({ controlPlane }: HostedEvidence, { message, lastTransitionTime }: Condition): readonly Trouble[] {
  const trouble = nameTrouble(controlPlane, message, lastTransitionTime)
  return trouble === undefined ? [] : [trouble]
}

/** The API server runs, and does not answer at its address. */
function unreachable({ hostedCluster, controlPlane }: HostedEvidence): readonly Cause[] {
  const available = findCondition(hostedCluster.status?.conditions, 'Available')
  if (available?.status !== 'False' || available.reason !== 'KASLoadBalancerNotReachable') return []
  const { reason, message, lastTransitionTime: since } = available
  const link = linkTo(placeOf(HostedCluster, hostedCluster, 'management'), `its API does not answer at its address: ${message}`, {
    reason,
    since,
  })
  const service = serviceNamed(controlPlane, 'kube-apiserver')
  const remedy = 'See whether the load balancer has healthy targets, and whether a firewall is in between.'
  if (service === undefined) return [causeOf({ weight: 'Broken', links: [link], remedy })]
  const below = linkTo(placeOf(Service, service, 'management'), 'its load balancer does not lead to the API server', { reason, since })
  return [causeOf({ weight: 'Broken', links: [link, below], remedy })]
}

/** Passes over a cluster fail for all sorts of reasons. One that is told already is not told again. */
function failedPasses({ hostedCluster }: HostedEvidence, others: readonly Cause[]): readonly Cause[] {
  const succeeded = findCondition(hostedCluster.status?.conditions, 'ReconciliationSucceeded')
  if (succeeded?.status !== 'False' || others.some(({ weight }) => weight === 'Broken')) return []
  const { reason, message, lastTransitionTime: since } = succeeded
  const link = linkTo(placeOf(HostedCluster, hostedCluster, 'management'), `its operator cannot do all that it should: ${message}`, {
    reason,
    since,
  })
  return [causeOf({ weight: 'Broken', links: [link], remedy: 'Put right what the message names; it is tried again by itself.' })]
}

/** The same, told of the control plane: it says why components are not even begun. */
export function controlPlaneCauses({ controlPlane: { itself } }: HostedEvidence): readonly Cause[] {
  if (itself === undefined) return []
  const active = findCondition(itself.status?.conditions, 'ReconciliationActive')
  if (active?.status !== 'False') return []
  const place = placeOf(HostedControlPlane, itself, 'management')
  return [
    causeOf({
      weight: 'Held',
      links: [linkTo(place, `it is paused: ${active.message}`, { reason: active.reason, since: active.lastTransitionTime })],
      remedy: 'A pause comes from the HostedCluster: end it there.',
    }),
  ]
}
