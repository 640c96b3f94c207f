import { localReference, standardConditions } from '../meta/index.ts'
import { choice, immutable, immutableOnceSet, int32, int64, list, map, object, openObject, optional, rule, text } from '../schema/index.ts'
import { autoNode, autoNodeStatus, autoscaling } from './autoscaling.ts'
import { additionalTrustBundle, configuration, operatorConfiguration } from './cluster-configuration.ts'
import { controlPlaneVersion } from './control-plane-version.ts'
import { platform } from './platform.ts'
import { secretEncryption, secretEncryptionStatus } from './secret-encryption.ts'
import { services } from './services.ts'

const availability = ['HighlyAvailable', 'SingleReplica'] as const
const metricsSets = ['Telemetry', 'SRE', 'All'] as const

const domain = (what: string, description: string, rules = [immutable(what)]) =>
  text(description, {
    maxLength: 253,
    rules: [
      rule(
        String.raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
        `${what} must be a valid ${what === 'kubeAPIServerDNSName' ? 'URL name (e.g., api.example.com)' : 'domain name (e.g., example, example.com, sub.example.com)'}`,
      ),
      ...rules,
    ],
  })

export const dns = object('The names of the cluster.', {
  baseDomain: domain('baseDomain', 'The domain below which the cluster has its own.', [immutableOnceSet('baseDomain')]),
  baseDomainPrefix: optional(domain('baseDomainPrefix', 'The part before the base domain; the name of the cluster unless told.')),
  publicZoneID: optional(
    text('The zone with the names for everybody.', { minLength: 1, maxLength: 258, rules: [immutableOnceSet('publicZoneID')] }),
  ),
  privateZoneID: optional(
    text('The zone with the names for the cluster.', { minLength: 1, maxLength: 265, rules: [immutableOnceSet('privateZoneID')] }),
  ),
})

const capability = choice('An optional part of OpenShift.', [
  'ImageRegistry',
  'openshift-samples',
  'Insights',
  'baremetal',
  'Console',
  'NodeTuning',
  'Ingress',
])

const disruptive = (what: string) =>
  rule('self == oldSelf', `${what} is immutable. Changes might result in unpredictable and disruptive behavior.`)

const capabilities = object(
  'Which optional parts the guest has.',
  {
    enabled: optional(
      list('Parts to have besides the usual ones.', capability, { maxItems: 25, as: 'atomic', rules: [disruptive('Enabled')] }),
    ),
    disabled: optional(
      list('Parts to leave out.', capability, {
        maxItems: 25,
        as: 'atomic',
        rules: [
          disruptive('Disabled'),
          rule(
            "!('Ingress' in self) || 'Console' in self",
            'Ingress capability can only be disabled if Console capability is also disabled',
          ),
        ],
      }),
    ),
  },
  {
    default: {},
    rules: [
      disruptive('Capabilities'),
      rule(
        '!has(self.enabled) || !has(self.disabled) || !self.enabled.exists(part, part in self.disabled)',
        'Capabilities can not be both enabled and disabled at once.',
      ),
    ],
  },
)

const toleration = object('One toleration.', {
  key: optional(text('The taint.')),
  operator: optional(text('Exists or Equal.')),
  value: optional(text('Its value, for Equal.')),
  effect: optional(text('Its effect; any unless told.')),
  tolerationSeconds: optional(int64('How long NoExecute is tolerated.')),
})

/** Fields that HostedCluster and HostedControlPlane have in common, word for word. */
export const sharedSpecFields = {
  additionalTrustBundle: optional(additionalTrustBundle),
  auditWebhook: optional(localReference('The Secret with the kubeconfig of an audit webhook, under webhook-kubeconfig.')),
  autoNode: optional(autoNode),
  autoscaling: optional(autoscaling),
  capabilities: optional(capabilities),
  configuration: optional(configuration),
  operatorConfiguration: optional(operatorConfiguration),
  controllerAvailabilityPolicy: optional(
    choice('How many of each component run in the control plane.', availability, {
      default: 'HighlyAvailable',
      rules: [immutable('ControllerAvailabilityPolicy')],
    }),
  ),
  infrastructureAvailabilityPolicy: optional(
    choice('How many of each component run in the guest.', availability, { default: 'SingleReplica' }),
  ),
  imageContentSources: optional(
    list(
      'From where images may be pulled instead.',
      object('One source.', {
        source: text('The repository as it is named in pullspecs.', { maxLength: 255 }),
        mirrors: optional(list('Where the same images are.', text('A repository.', { maxLength: 255 }), { maxItems: 255, as: 'set' })),
      }),
      { maxItems: 255 },
    ),
  ),
  kubeAPIServerDNSName: optional(domain('kubeAPIServerDNSName', 'A further name of the API server.', [])),
  labels: optional(map('Labels for every pod of the control plane.', text('A value.'), { maxProperties: 20 })),
  tolerations: optional(list('Tolerations for every pod of the control plane.', toleration, { maxItems: 25 })),
  monitoring: optional(
    openObject(
      'Which metrics are gathered.',
      {
        metricsSet: optional(choice('Which metrics.', metricsSets)),
        metricsForwarding: optional(
          object('Whether the guest sees them.', {
            mode: choice('Whether they are forwarded.', ['Forward', 'None']),
            metricsSet: optional(choice('Which metrics.', metricsSets)),
          }),
        ),
      },
      { minProperties: 1 },
    ),
  ),
  platform,
  pullSecret: localReference('The Secret with credentials for registries, under .dockerconfigjson.'),
  secretEncryption: optional(secretEncryption),
  serviceAccountSigningKey: optional(localReference('The Secret with the key that signs tokens of service accounts, under key.')),
  services,
}

/** What the status of both has in common. */
export const sharedStatusFields = {
  conditions: optional(standardConditions({ maxItems: 100 })),
  controlPlaneVersion: optional(controlPlaneVersion),
  controlPlaneEndpoint: optional(
    object('Where the API server is.', { host: text('The host.', { maxLength: 255 }), port: int32('The port.') }),
  ),
  platform: optional(
    object('What the platform reports.', {
      aws: optional(
        object('On AWS.', {
          defaultWorkerSecurityGroupID: optional(text('The security group that workers are in.', { maxLength: 255 })),
        }),
      ),
    }),
  ),
  autoNode: optional(autoNodeStatus),
  configuration: optional(openObject('What the guest made of its configuration.', {})),
  secretEncryption: optional(secretEncryptionStatus),
}

/** The network plugin decides which settings of the network operator make sense. */
export const multiNetworkRule = rule(
  [
    '!has(self.operatorConfiguration)',
    '!has(self.operatorConfiguration.clusterNetworkOperator)',
    '!has(self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork)',
    '!self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork',
    "self.networking.networkType == 'Other'",
  ].join(' || '),
  "disableMultiNetwork can only be set to true when networkType is 'Other'",
)

export const encryptionStays = rule(
  'has(self.secretEncryption) || !has(oldSelf.secretEncryption)',
  'secretEncryption cannot be removed once configured',
)
