import { column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { localReference } from '../meta/index.ts'
import {
  choice,
  countOrPercent,
  duration,
  flag,
  immutable,
  int32,
  int64,
  knownWord,
  list,
  map,
  object,
  optional,
  rule,
  text,
  time,
} from '../schema/index.ts'
import { nodePoolPlatform } from './node-pool-platform.ts'
import { kubevirtCredentials } from './platform-kubevirt.ts'
import { dnsLabel, pausedUntilRule, releaseImage } from './release.ts'

const management = object(
  'How machines are replaced.',
  {
    upgradeType: choice('By new machines, or in place.', ['Replace', 'InPlace'], { rules: [immutable('UpgradeType')] }),
    replace: optional(
      object(
        'For Replace.',
        {
          strategy: optional(choice('Machine by machine, or as somebody deletes them.', ['RollingUpdate', 'OnDelete'])),
          rollingUpdate: optional(
            object('For RollingUpdate.', {
              maxSurge: optional(countOrPercent('How many machines there may be too many.')),
              maxUnavailable: optional(countOrPercent('How many there may be too few.')),
            }),
          ),
        },
        {
          default: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, strategy: 'RollingUpdate' },
          rules: [
            rule(
              "!has(self.rollingUpdate) || self.strategy == 'RollingUpdate'",
              "The 'rollingUpdate' field can only be set when 'strategy' is 'RollingUpdate'",
            ),
          ],
        },
      ),
    ),
    inPlace: optional(
      object('For InPlace.', { maxUnavailable: optional(countOrPercent('How many machines may be away at once; 1 unless told.')) }),
    ),
    autoRepair: optional(flag('Whether machines whose node stays unhealthy are replaced.', { default: false })),
  },
  {
    rules: [
      rule("!has(self.inPlace) || self.upgradeType == 'InPlace'", "The 'inPlace' field can only be set when 'upgradeType' is 'InPlace'"),
    ],
  },
)

const qualifiedName = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`

const taint = object('One taint.', {
  key: text('Its key.', {
    minLength: 1,
    maxLength: 253,
    rules: [
      rule(`self.matches('${qualifiedName}')`, 'key must be a qualified name with an optional subdomain prefix e.g. example.com/MyName'),
    ],
  }),
  value: optional(
    text('Its value.', {
      maxLength: 253,
      rules: [
        rule(
          "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
          "Value must start and end with alphanumeric characters and can only contain '-', '_', '.' in the middle",
        ),
      ],
    }),
  ),
  effect: choice('What it does to pods.', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
})

/** Behind the gate OSStreams upstream. */
const osImageStream = (description: string) => object(description, { name: choice('The stream.', ['rhel-9', 'rhel-10']) })

const spec = object(
  'The nodes that are asked for.',
  {
    clusterName: text('The HostedCluster that they belong to, in the same namespace.', {
      minLength: 1,
      maxLength: 253,
      rules: [
        immutable('ClusterName'),
        rule(
          dnsLabel,
          "clusterName must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
        ),
      ],
    }),
    release: releaseImage('The release that they run.'),
    platform: nodePoolPlatform,
    replicas: optional(int32('How many there are; none unless told. Not together with autoScaling.')),
    autoScaling: optional(
      object(
        'Between which numbers the autoscaler may choose.',
        { min: int32('At least.', { minimum: 0 }), max: int32('At most.', { minimum: 1 }) },
        { rules: [rule('self.max >= self.min', 'max must be equal or greater than min')] },
      ),
    ),
    management,
    config: optional(list('ConfigMaps with machine configuration, under config.', localReference('One of them.'), { maxItems: 10 })),
    tuningConfig: optional(list('ConfigMaps with tuning profiles, under tuning.', localReference('One of them.'), { maxItems: 10 })),
    nodeDrainTimeout: optional(duration('How long draining a node may take; for ever unless told.')),
    nodeVolumeDetachTimeout: optional(duration('How long detaching its volumes may take; for ever unless told.')),
    nodeLabels: optional(map('Labels that nodes are born with.', text('A value.'))),
    taints: optional(list('Taints that nodes are born with.', taint, { maxItems: 50 })),
    pausedUntil: optional(
      text('Stops changes until this time, or until it is taken away when it is true.', {
        minLength: 1,
        maxLength: 35,
        rules: [pausedUntilRule],
      }),
    ),
    arch: optional(choice('Their processors.', ['arm64', 'amd64', 'ppc64le', 's390x'], { default: 'amd64', rules: [immutable('Arch')] })),
    osImageStream: optional(osImageStream('The stream of their operating system; that of the release unless told.')),
  },
  {
    rules: [
      rule('has(self.arch) || !has(oldSelf.arch)', 'Arch is required once set'),
      rule(
        "self.arch != 'arm64' || has(self.platform.aws) || has(self.platform.azure) || has(self.platform.agent) || self.platform.type in ['GCP', 'None']",
        'Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None',
      ),
      rule('!has(self.replicas) || !has(self.autoScaling)', 'Both replicas or autoScaling should not be set'),
      rule("self.arch != 's390x' || has(self.platform.kubevirt)", 's390x is only supported on KubeVirt platform'),
      rule(
        "self.arch == 'amd64' || !has(self.platform.aws) || !has(self.platform.aws.imageType) || self.platform.aws.imageType != 'Windows'",
        "ImageType 'Windows' requires arch 'amd64' (AWS only)",
      ),
      rule(
        "!has(self.autoScaling) || self.autoScaling.min > 0 || self.platform.type in ['AWS', 'Azure']",
        'Scale-from-zero (autoScaling.min=0) is currently only supported for AWS and Azure platforms',
      ),
      rule('has(self.osImageStream) || !has(oldSelf.osImageStream)', 'osImageStream cannot be removed once set'),
      rule(
        "!has(self.osImageStream) || !has(oldSelf.osImageStream) || oldSelf.osImageStream.name != 'rhel-10' || self.osImageStream.name != 'rhel-9'",
        'osImageStream cannot go back from rhel-10 to rhel-9',
      ),
    ],
  },
)

/** The list has no keys in the schema: a merge patch replaces it whole. */
const condition = object('One observation about the pool.', {
  type: text('What is observed.', { maxLength: 316 }),
  status: knownWord('Whether it holds.', ['True', 'False', 'Unknown']),
  severity: optional(text('How bad a False is; not written by us.', { maxLength: 1024 })),
  reason: optional(text('Why, as a word for programs.', { maxLength: 1024 })),
  message: optional(text('Why, in words for people.', { maxLength: 32_768 })),
  lastTransitionTime: time('When the status changed last.'),
  observedGeneration: optional(int64('The generation of the pool that this was judged from.', { minimum: 0 })),
})

const nodeVersions = object('How many nodes run what.', {
  ocpVersion: text('The version of OpenShift.', {
    minLength: 1,
    maxLength: 64,
    rules: [rule(String.raw`self.matches('^\\d+\\.\\d+\\.\\d+.*$')`, 'ocpVersion must start with semantic version prefix x.y.z')],
  }),
  kubeletVersion: text('The version of the kubelet.', {
    minLength: 1,
    maxLength: 64,
    rules: [
      rule(
        String.raw`self.matches('^v?\\d+\\.\\d+\\.\\d+.*$')`,
        "kubeletVersion must start with semantic version prefix x.y.z (optional leading 'v')",
      ),
    ],
  }),
  readyNodeCount: int32('Nodes that are ready.', { minimum: 0 }),
  unreadyNodeCount: int32('Nodes that are not.', { minimum: 0 }),
})

const status = object('How the nodes are doing.', {
  conditions: optional(list('What has been observed about the pool.', condition, { maxItems: 100 })),
  replicas: optional(int32('Machines that are available.')),
  version: optional(text('The version of the last completed rollout.', { maxLength: 64 })),
  nodesInfo: optional(
    object('What the nodes run.', {
      nodeVersions: list('One entry per pair of versions.', nodeVersions, { minItems: 1, maxItems: 100, as: 'atomic' }),
    }),
  ),
  osImageStream: optional(osImageStream('The stream that most nodes run.')),
  platform: optional(
    object('What the platform reports.', {
      kubeVirt: optional(
        object('On KubeVirt.', {
          cacheName: optional(text('Where the image of the disk is kept.', { maxLength: 255 })),
          credentials: optional(kubevirtCredentials),
        }),
      ),
    }),
  ),
})

/** A group of nodes of a hosted cluster that are alike and upgraded together. */
export const NodePool = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'NodePool',
  plural: 'nodepools',
  shortNames: ['np', 'nps'],
  description: 'A group of nodes of a hosted cluster that are alike and upgraded together.',
  spec,
  status,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  printerColumns: [
    column('Cluster', '.spec.clusterName'),
    column('Desired Nodes', '.spec.replicas', { type: 'integer' }),
    column('Current Nodes', '.status.replicas', { type: 'integer' }),
    conditionColumn('Autoscaling', 'AutoscalingEnabled'),
    conditionColumn('Autorepair', 'AutorepairEnabled'),
    column('Version', '.status.version'),
    conditionColumn('UpdatingVersion', 'UpdatingVersion'),
    conditionColumn('UpdatingConfig', 'UpdatingConfig'),
    conditionColumn('Message', 'Ready', 'message'),
  ],
})
export type NodePool = ObjectOf<typeof NodePool>
