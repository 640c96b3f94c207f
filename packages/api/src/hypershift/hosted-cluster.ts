import { column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { localReference } from '../meta/index.ts'
import { choice, flag, immutable, immutableOnceSet, map, object, optional, rule, text } from '../schema/index.ts'
import { clusterVersionStatus } from './cluster-version-status.ts'
import { defaultEtcd, etcd } from './etcd.ts'
import { dns, encryptionStays, multiNetworkRule, sharedSpecFields, sharedStatusFields } from './hosted-cluster-fields.ts'
import { hostedClusterRules } from './hosted-cluster-rules.ts'
import { defaultNetworking, networking } from './networking.ts'
import { dnsLabel, pausedUntilRule, releaseImage } from './release.ts'
import { enoughServices } from './services.ts'

const spec = object(
  'The cluster that is asked for.',
  {
    ...sharedSpecFields,
    release: releaseImage('The release of the guest, and of the control plane unless that has its own.'),
    controlPlaneRelease: optional(releaseImage('The release of the components on the management cluster, when it differs.')),
    clusterID: optional(
      text('The identity of the cluster, a UUID; made up when empty.', {
        minLength: 36,
        maxLength: 36,
        rules: [
          rule(
            "self.matches('[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}')",
            'clusterID must be an RFC4122 UUID value (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in hexadecimal digits)',
          ),
          immutableOnceSet('clusterID'),
        ],
      }),
    ),
    infraID: optional(
      text('The name of the cluster in its infrastructure; made up when empty.', {
        minLength: 1,
        maxLength: 253,
        rules: [
          rule(
            dnsLabel,
            "infraID must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
          ),
          immutableOnceSet('infraID'),
        ],
      }),
    ),
    channel: optional(text('The channel whose updates the guest offers.', { minLength: 1, maxLength: 100 })),
    updateService: optional(
      text('The update service to ask instead of the default one.', {
        rules: [rule('isURL(self)', 'updateService must be a valid absolute URL')],
      }),
    ),
    dns: optional(dns),
    etcd: etcd({ default: defaultEtcd }),
    networking: networking({ default: defaultNetworking }),
    issuerURL: optional(
      text('Who tokens of service accounts say has issued them.', {
        maxLength: 255,
        default: 'https://kubernetes.default.svc',
        rules: [immutable('issuerURL'), rule('isURL(self)', 'issuerURL must be a valid absolute URL')],
      }),
    ),
    sshKey: optional(localReference('The Secret with the public key for nodes, under id_rsa.pub.')),
    fips: optional(flag('Whether nodes run in FIPS mode.', { rules: [immutable('fips')] })),
    olmCatalogPlacement: optional(
      choice('Where the operator catalogs run.', ['management', 'guest'], {
        default: 'management',
        rules: [immutable('OLMCatalogPlacement')],
      }),
    ),
    nodeSelector: optional(
      map('Where pods of the control plane run.', text('A value.'), {
        rules: [rule('size(self) <= 20', 'nodeSelector map can have at most 20 entries')],
      }),
    ),
    pausedUntil: optional(
      text('Stops changes until this time, or until it is taken away when it is true.', {
        minLength: 4,
        maxLength: 35,
        rules: [pausedUntilRule],
      }),
    ),
  },
  { rules: [enoughServices, ...hostedClusterRules, multiNetworkRule, encryptionStays] },
)

const status = object('How the cluster is doing.', {
  ...sharedStatusFields,
  version: optional(clusterVersionStatus('What the guest says about its version.')),
  kubeconfig: optional(localReference('The Secret with a kubeconfig for the guest.')),
  customKubeconfig: optional(localReference('The same for the further name of the API server.')),
  kubeadminPassword: optional(localReference('The Secret with the first password.')),
  ignitionEndpoint: optional(text('Where nodes get their first configuration.', { maxLength: 1024 })),
  oauthCallbackURLTemplate: optional(text('Where identity providers send people back to.', { maxLength: 1024 })),
  payloadArch: optional(choice('Which processors the release is for.', ['Multi', 'ARM64', 'AMD64', 'PPC64LE', 'S390X'])),
  lastSuccessfulEtcdBackupURL: optional(text('Where the last good backup of etcd is.')),
})

const stays = (field: string) =>
  rule(
    `!has(oldSelf.spec) || !has(oldSelf.spec.${field}) || (has(self.spec) && has(self.spec.${field}))`,
    `${field} cannot be removed once set`,
  )

/** A cluster whose control plane runs as pods on this one. */
export const HostedCluster = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HostedCluster',
  plural: 'hostedclusters',
  shortNames: ['hc', 'hcs'],
  description: 'A cluster whose control plane runs as pods on this one.',
  spec,
  status,
  rules: [stays('infraID'), stays('clusterID')],
  printerColumns: [
    column('Version', '.status.version.history[?(@.state=="Completed")].version'),
    column('CP Version', '.status.controlPlaneVersion.history[?(@.state=="Completed")].version'),
    column('KubeConfig', '.status.kubeconfig.name'),
    column('Progress', '.status.version.history[?(@.state!="")].state'),
    conditionColumn('Available', 'Available'),
    conditionColumn('Progressing', 'Progressing'),
    conditionColumn('Message', 'Available', 'message'),
    column('CP Progress', '.status.controlPlaneVersion.history[0].state', { priority: 1 }),
    column('DP Progress', '.status.version.history[0].state', { priority: 1 }),
  ],
})
export type HostedCluster = ObjectOf<typeof HostedCluster>
