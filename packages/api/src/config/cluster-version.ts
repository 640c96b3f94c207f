import { column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { operatorConditions } from '../meta/index.ts'
import { choice, flag, int64, list, object, optional, rule, text } from '../schema/index.ts'
import { availableUpdates, conditionalUpdates, release, updateHistory } from './update-history.ts'

const capability = choice('An optional part of OpenShift.', [
  'openshift-samples',
  'baremetal',
  'marketplace',
  'Console',
  'Insights',
  'Storage',
  'CSISnapshot',
  'NodeTuning',
  'MachineAPI',
  'Build',
  'DeploymentConfig',
  'ImageRegistry',
  'OperatorLifecycleManager',
  'CloudCredential',
  'Ingress',
  'CloudControllerManager',
  'OperatorLifecycleManagerV1',
])

const baselines = ['None', 'v4.11', 'v4.12', 'v4.13', 'v4.14', 'v4.15', 'v4.16', 'v4.17', 'v4.18', 'vCurrent'] as const

const spec = object('The wanted version.', {
  clusterID: text('The identity of the cluster, a UUID.'),
  desiredUpdate: optional(
    object(
      'The update that is asked for.',
      {
        architecture: optional(choice('Multi moves the cluster to the multi-architecture release of the same version.', ['Multi', ''])),
        version: optional(text('The version, looked up among the available updates unless an image is given.')),
        image: optional(text('The pullspec of the release image.')),
        force: optional(flag('Goes past failing checks. They are recorded as accepted risks.')),
      },
      {
        rules: [
          rule(
            '!has(self.architecture) || !has(self.image) || self.architecture == "" || self.image == ""',
            'cannot set both Architecture and Image',
          ),
          rule(
            '!has(self.architecture) || self.architecture == "" || (has(self.version) && self.version != "")',
            'Version must be set if Architecture is set',
          ),
        ],
      },
    ),
  ),
  upstream: optional(text('The update service to ask instead of the default one.')),
  channel: optional(text('The channel whose updates are offered.')),
  capabilities: optional(
    object('Which optional parts are installed.', {
      baselineCapabilitySet: optional(choice('The set to start from.', baselines)),
      additionalEnabledCapabilities: optional(list('Parts to enable besides.', capability, { as: 'atomic' })),
    }),
  ),
  overrides: optional(
    list(
      'Objects of the payload that the version operator leaves alone.',
      object('One object.', {
        kind: text('Its kind.'),
        group: text('Its API group.'),
        namespace: text('Its namespace; empty for cluster-scoped ones.'),
        name: text('Its name.'),
        unmanaged: flag('Whether it is left alone.'),
      }),
      { keys: ['kind', 'group', 'namespace', 'name'] },
    ),
  ),
})

const status = object('What the version operator has done and found.', {
  desired: release('The release that is being applied or has been.'),
  history: optional(updateHistory({ as: 'atomic' })),
  observedGeneration: int64('The generation of the spec that is being acted on.'),
  versionHash: text('A fingerprint of what is being applied.'),
  capabilities: optional(
    object('Which optional parts there are.', {
      enabledCapabilities: optional(list('The installed ones.', capability, { as: 'atomic' })),
      knownCapabilities: optional(list('All that this release has.', capability, { as: 'atomic' })),
    }),
  ),
  conditions: optional(operatorConditions()),
  availableUpdates: availableUpdates({ as: 'atomic' }),
  conditionalUpdates: optional(conditionalUpdates()),
})

/** The version of a cluster and its updates, kept by the cluster version operator. There is one, named `version`. */
export const ClusterVersion = defineKind({
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'ClusterVersion',
  plural: 'clusterversions',
  scope: 'Cluster',
  description: 'The version of a cluster, and its updates.',
  spec,
  status,
  rules: [
    rule(
      [
        '!has(self.spec.capabilities)',
        '!has(self.spec.capabilities.baselineCapabilitySet)',
        "self.spec.capabilities.baselineCapabilitySet != 'None'",
        '!has(self.spec.capabilities.additionalEnabledCapabilities)',
        "!('marketplace' in self.spec.capabilities.additionalEnabledCapabilities)",
        "'OperatorLifecycleManager' in self.spec.capabilities.additionalEnabledCapabilities",
        "(has(self.status) && has(self.status.capabilities) && has(self.status.capabilities.enabledCapabilities) && 'OperatorLifecycleManager' in self.status.capabilities.enabledCapabilities)",
      ].join(' || '),
      'the `marketplace` capability requires the `OperatorLifecycleManager` capability, which is neither explicitly or implicitly enabled in this cluster, please enable the `OperatorLifecycleManager` capability',
    ),
  ],
  printerColumns: [
    column('Version', '.status.history[?(@.state=="Completed")].version'),
    conditionColumn('Available', 'Available'),
    conditionColumn('Progressing', 'Progressing'),
    conditionColumn('Since', 'Progressing', 'lastTransitionTime'),
    conditionColumn('Status', 'Progressing', 'message'),
  ],
})
export type ClusterVersion = ObjectOf<typeof ClusterVersion>
