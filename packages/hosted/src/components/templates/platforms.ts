import { Annotation } from '../wire.ts'
import type { Template } from './template.ts'
import { answers, asks, guestKubeconfig, mayRead, mayWrite, secrets, settings } from './words.ts'

/** Each cloud has its controller; they differ in where credentials and configuration come from. */
const cloudController = (configMap: string, member: string, rest: Template = {}): Template => ({
  containers: { 'cloud-controller-manager': asks('75m', '60Mi') },
  settings: settings(configMap, ['platform.type', `platform.${member}`, 'networking', 'infraID']),
  isSpread: true,
  ...rest,
  secrets: [guestKubeconfig, ...(rest.secrets ?? [])],
})

/** Components that only one platform has. */
export const platforms: Readonly<Record<string, Template>> = {
  'aws-cloud-controller-manager': cloudController('aws-cloud-config', 'aws', { secrets: secrets('cloud-controller-creds') }),
  'azure-cloud-controller-manager': cloudController('azure-cloud-config', 'azure'),
  'kubevirt-cloud-controller-manager': cloudController('kubevirt-cloud-config', 'kubevirt', {
    role: [mayRead('kubevirt.io', 'virtualmachines'), mayWrite('kubevirt.io', 'virtualmachineinstances'), mayWrite('', 'services')],
  }),
  'openstack-cloud-controller-manager': cloudController('openstack-cloud-config', 'openstack', {
    containers: { 'cloud-controller-manager': asks('200m', '50Mi') },
  }),
  'powervs-cloud-controller-manager': cloudController('ccm-config', 'powervs', {
    containers: {
      'cloud-controller-manager': asks('75m', '60Mi', { ports: { https: 10_258 }, live: answers('/healthz', 10_258, { delay: 300 }) }),
    },
  }),
  'gcp-cloud-controller-manager': cloudController('gcp-cloud-config', 'gcp', { secrets: secrets('cloud-controller-manager-creds') }),
  'kubevirt-csi-controller': {
    scratch: ['socket-dir'],
    settings: settings('driver-config', ['platform.kubevirt', 'infraID']),
    role: [
      mayWrite('cdi.kubevirt.io', 'datavolumes'),
      mayRead('kubevirt.io', 'virtualmachineinstances', 'virtualmachines'),
      mayWrite('subresources.kubevirt.io', 'virtualmachineinstances/addvolume', 'virtualmachineinstances/removevolume'),
      mayWrite('snapshot.storage.k8s.io', 'volumesnapshots'),
      mayWrite('', 'persistentvolumeclaims'),
    ],
    guestAccount: {
      namespace: 'openshift-cluster-csi-drivers',
      name: 'kubevirt-csi-controller-sa',
      mountPath: '/var/run/secrets/tenantcluster',
    },
  },
  'aws-node-termination-handler': {
    containers: { 'aws-node-termination-handler': asks('50m', '64Mi'), 'token-minter-kube': asks('10m', '30Mi') },
    secrets: [guestKubeconfig, ...secrets('aws-node-termination-handler-creds')],
    scratch: ['token'],
    settings: settings(
      'aws-node-termination-handler',
      ['platform.aws.terminationHandlerQueueURL', 'platform.aws.region'],
      [Annotation.terminationQueue],
    ),
  },
}
