import { defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { localReference, secretKeyReference } from '../meta/index.ts'
import { choice, flag, integer, map, object, optional, text, time } from '../schema/index.ts'
import { clusterVersionStatus } from './cluster-version-status.ts'
import { etcd } from './etcd.ts'
import { dns, encryptionStays, multiNetworkRule, sharedSpecFields, sharedStatusFields } from './hosted-cluster-fields.ts'
import { networking } from './networking.ts'
import { enoughServices } from './services.ts'

const name = (description: string) => text(description, { maxLength: 255 })

const spec = object(
  'The control plane that is asked for. Written from a HostedCluster, which has been checked already.',
  {
    ...sharedSpecFields,
    releaseImage: name('The release of the guest.'),
    controlPlaneReleaseImage: optional(name('The release of the components here, when it differs.')),
    clusterID: optional(name('The identity of the cluster.')),
    infraID: name('The name of the cluster in its infrastructure.'),
    channel: optional(name('The channel whose updates the guest offers.')),
    updateService: optional(text('The update service to ask instead of the default one.')),
    dns,
    etcd: etcd(),
    networking: optional(networking()),
    issuerURL: name('Who tokens of service accounts say has issued them.'),
    sshKey: localReference('The Secret with the public key for nodes; empty when there is none.'),
    fips: optional(flag('Whether nodes run in FIPS mode.')),
    olmCatalogPlacement: optional(choice('Where the operator catalogs run.', ['management', 'guest'], { default: 'management' })),
    nodeSelector: optional(map('Where pods of the control plane run.', text('A value.'))),
    pausedUntil: optional(name('Stops changes, as on the HostedCluster.')),
    kubeconfig: optional(secretKeyReference('Where to put the kubeconfig.')),
  },
  { rules: [enoughServices, multiNetworkRule, encryptionStays] },
)

const status = object('How the control plane is doing.', {
  ...sharedStatusFields,
  ready: flag('Whether the API server can be used.', { default: false }),
  initialized: flag('Whether it ever could; never goes back.', { default: false }),
  externalManagedControlPlane: optional(flag('Says to Cluster API that it does not run the control plane.', { default: true })),
  versionStatus: optional(clusterVersionStatus('What the guest says about its version.')),
  version: optional(name('The version of the guest. Deprecated: see versionStatus.')),
  releaseImage: optional(name('The release of the guest. Deprecated: see versionStatus.')),
  lastReleaseImageTransitionTime: optional(time('When that changed last. Deprecated: see versionStatus.')),
  oauthCallbackURLTemplate: optional(name('Where identity providers send people back to.')),
  kubeConfig: optional(secretKeyReference('The Secret with a kubeconfig for the guest.')),
  customKubeconfig: optional(secretKeyReference('The same for the further name of the API server.')),
  kubeadminPassword: optional(localReference('The Secret with the first password.')),
  nodeCount: optional(integer('Nodes of the guest.')),
})

/** The control plane of one HostedCluster, in its own namespace. */
export const HostedControlPlane = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HostedControlPlane',
  plural: 'hostedcontrolplanes',
  shortNames: ['hcp', 'hcps'],
  categories: ['cluster-api'],
  description: 'The control plane of one HostedCluster, in its own namespace.',
  spec,
  status,
})
export type HostedControlPlane = ObjectOf<typeof HostedControlPlane>
