import { rulesNotChecked, type Sample } from './sample.ts'

const selector = { matchLabels: { pool: 'workers' } }
const forbiddenType = 'type must not be one of: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated'

const infrastructure = {
  v1beta1: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate', name: 'workers' },
  v1beta2: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'workers' },
}

function machine(version: 'v1beta1' | 'v1beta2'): Record<string, unknown> {
  return { clusterName: 'prod', bootstrap: { dataSecretName: 'user-data' }, infrastructureRef: infrastructure[version] }
}

const badTaint = { taints: [{ key: 'a', effect: 'Sometimes', propagation: 'Always' }] }
const badTaintSays = (at: string): string =>
  `${at}.taints[0].effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`

/** Kinds whose two versions differ in no more than their references. */
function workers(version: 'v1beta1' | 'v1beta2'): Readonly<Record<string, Sample>> {
  return {
    [`machines.cluster.x-k8s.io/${version}`]: {
      spec: machine(version),
      refused: [
        { how: 'create', change: { spec: { infrastructureRef: null } }, says: ['spec.infrastructureRef: Required value'] },
        { how: 'create', change: { spec: badTaint }, says: [badTaintSays('spec')] },
      ],
    },
    [`machinesets.cluster.x-k8s.io/${version}`]: {
      spec: { clusterName: 'prod', replicas: 2, selector, template: { spec: machine(version) } },
      refused: [
        {
          how: 'create',
          change: { spec: { clusterName: '', template: { spec: badTaint } } },
          says: [
            'spec.clusterName: Invalid value: "": spec.clusterName in body should be at least 1 chars long',
            badTaintSays('spec.template.spec'),
          ],
        },
      ],
    },
    [`machinedeployments.cluster.x-k8s.io/${version}`]: {
      spec: { clusterName: 'prod', replicas: 2, selector, template: { spec: machine(version) } },
      refused: [
        {
          how: 'create',
          change: { spec: { selector: { matchExpressions: [{ key: 'a' }] } } },
          says: ['spec.selector.matchExpressions[0].operator: Required value'],
        },
        {
          how: 'update',
          change: { spec: { replicas: 'two' } },
          says: [
            'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
            '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: two is of the type string, expected int64',
          ],
        },
      ],
    },
  }
}

const topology = { classRef: { name: 'small' }, version: 'v1.33.0' }
const readyForLong = { type: 'Ready', status: 'False', timeoutSeconds: 60 }

export const clusterApi: Readonly<Record<string, Sample>> = {
  ...workers('v1beta1'),
  ...workers('v1beta2'),

  'clusters.cluster.x-k8s.io/v1beta1': {
    spec: { paused: false, clusterNetwork: { pods: { cidrBlocks: ['10.132.0.0/14'] } } },
    refused: [
      {
        how: 'create',
        change: { spec: { paused: 'no' } },
        says: ['spec.paused: Invalid value: "string": spec.paused in body must be of type boolean: "string"'],
      },
    ],
  },
  'clusters.cluster.x-k8s.io/v1beta2': {
    spec: { paused: false, clusterNetwork: { pods: { cidrBlocks: ['10.132.0.0/14'] } }, topology },
    refused: [
      {
        how: 'create',
        change: { spec: { topology: { controlPlane: { healthCheck: { checks: { unhealthyMachineConditions: [readyForLong] } } } } } },
        says: [
          `spec.topology.controlPlane.healthCheck.checks.unhealthyMachineConditions[0].type: Invalid value: "string": ${forbiddenType}`,
        ],
      },
      {
        how: 'update',
        change: { spec: { topology: { version: null } } },
        says: ['spec.topology.version: Required value', rulesNotChecked],
      },
    ],
  },

  'machinehealthchecks.cluster.x-k8s.io/v1beta1': {
    spec: {
      clusterName: 'prod',
      selector,
      maxUnhealthy: '40%',
      unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '5m0s' }],
    },
    refused: [
      {
        how: 'create',
        change: { spec: { unhealthyMachineConditions: [{ type: 'Ready', status: 'False', timeout: '5m0s' }] } },
        says: [`spec.unhealthyMachineConditions[0].type: Invalid value: "string": ${forbiddenType}`],
      },
    ],
  },
  'machinehealthchecks.cluster.x-k8s.io/v1beta2': {
    spec: { clusterName: 'prod', selector, checks: { unhealthyNodeConditions: [readyForLong] } },
    refused: [
      {
        how: 'create',
        change: { spec: { checks: { unhealthyMachineConditions: [readyForLong] } } },
        says: [`spec.checks.unhealthyMachineConditions[0].type: Invalid value: "string": ${forbiddenType}`],
      },
    ],
  },

  'awsmachinetemplates.infrastructure.cluster.x-k8s.io/v1beta2': {
    spec: { template: { spec: { instanceType: 'm5.large', instanceMetadataOptions: {} } } },
    defaults: {
      template: {
        spec: {
          instanceMetadataOptions: {
            httpEndpoint: 'enabled',
            httpProtocolIpv6: 'disabled',
            httpPutResponseHopLimit: 1,
            httpTokens: 'optional',
            instanceMetadataTags: 'disabled',
          },
        },
      },
    },
    upstreamDefaults: { template: { spec: { hostAffinity: 'default' } } },
    refused: [
      {
        how: 'create',
        change: { spec: { template: { spec: { capacityReservationId: 'cr-1', marketType: 'Spot' } } } },
        says: ['spec.template.spec: Invalid value: "object": capacityReservationId may not be set when marketType is Spot'],
      },
      {
        how: 'create',
        change: { spec: { template: { spec: { instanceType: 'm' } } } },
        says: [
          'spec.template.spec.instanceType: Invalid value: "m": spec.template.spec.instanceType in body should be at least 2 chars long',
        ],
      },
    ],
  },

  'kubevirtmachinetemplates.infrastructure.cluster.x-k8s.io/v1alpha1': {
    spec: { template: { spec: { virtualMachineBootstrapCheck: {} } } },
    defaults: { template: { spec: { virtualMachineBootstrapCheck: { checkStrategy: 'ssh' } } } },
    refused: [
      {
        how: 'create',
        change: { spec: { template: { spec: { virtualMachineBootstrapCheck: { checkStrategy: 'ping' } } } } },
        says: [
          'spec.template.spec.virtualMachineBootstrapCheck.checkStrategy: Unsupported value: "ping": supported values: "none", "ssh"',
          rulesNotChecked,
        ],
        only: 'upstream',
      },
      {
        how: 'create',
        change: {
          spec: {
            template: {
              spec: {
                virtualMachineTemplate: {
                  spec: { template: { spec: { domain: { devices: {} }, volumes: [{ name: 'a', containerPath: { path: '../a' } }] } } },
                },
              },
            },
          },
        },
        says: [
          'spec.template.spec.virtualMachineTemplate.spec.template.spec.volumes[0].containerPath.path: Invalid value: "string": path must be absolute (start with \'/\')',
          'spec.template.spec.virtualMachineTemplate.spec.template.spec.volumes[0].containerPath.path: Invalid value: "string": path must not contain \'..\'',
        ],
        only: 'upstream',
      },
      {
        how: 'create',
        change: { spec: { template: { spec: { virtualMachineBootstrapCheck: { checkStrategy: 'ping' } } } } },
        says: ['spec.template.spec.virtualMachineBootstrapCheck.checkStrategy: Unsupported value: "ping": supported values: "none", "ssh"'],
        only: 'ours',
      },
    ],
  },

  'agentclusters.capi-provider.agent-install.openshift.io/v1beta1': {
    spec: { ignitionEndpoint: { url: 'https://ignition.example.com', caCertificateReference: { name: 'ca', namespace: 'default' } } },
    refused: [
      {
        how: 'create',
        change: { spec: { ignitionEndpoint: { caCertificateReference: { namespace: null } } } },
        says: ['spec.ignitionEndpoint.caCertificateReference.namespace: Required value'],
      },
    ],
  },
  'agentmachines.capi-provider.agent-install.openshift.io/v1beta1': {
    spec: { agentLabelSelector: { matchExpressions: [{ key: 'role', operator: 'Exists' }] } },
    refused: [
      {
        how: 'status',
        change: { status: { addresses: [{ address: '', type: 'Carrier' }] } },
        says: [
          'status.addresses[0].address: Invalid value: "": addresses[0].address in body should be at least 1 chars long',
          'status.addresses[0].type: Unsupported value: "Carrier": supported values: "Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"',
        ],
      },
    ],
  },
  'agentmachinetemplates.capi-provider.agent-install.openshift.io/v1beta1': {
    spec: { template: { spec: { agentLabelSelector: { matchLabels: { role: 'worker' } } } } },
    refused: [{ how: 'create', change: { spec: { template: null } }, says: ['spec.template: Required value'] }],
  },
}
