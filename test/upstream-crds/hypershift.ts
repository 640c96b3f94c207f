import { condition, rulesNotChecked, type Sample } from './sample.ts'

const services = ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
  service,
  servicePublishingStrategy: { type: service === 'APIServer' ? 'LoadBalancer' : 'Route' },
}))

const etcd = { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } } }

const networking = {
  networkType: 'OVNKubernetes',
  clusterNetwork: [{ cidr: '10.132.0.0/14' }],
  serviceNetwork: [{ cidr: '172.31.0.0/16' }],
}

const image = 'registry.example.com/release:4.20.1'

export const hypershift: Readonly<Record<string, Sample>> = {
  'hostedclusters.hypershift.openshift.io/v1beta1': {
    spec: {
      release: { image },
      pullSecret: { name: 'pull-secret' },
      platform: { type: 'KubeVirt', kubevirt: {} },
      networking,
      services,
      etcd,
      clusterID: '11111111-2222-3333-4444-555555555555',
      infraID: 'infra',
      dns: { baseDomain: 'example.com' },
    },
    defaults: {
      capabilities: {},
      controllerAvailabilityPolicy: 'HighlyAvailable',
      infrastructureAvailabilityPolicy: 'SingleReplica',
      issuerURL: 'https://kubernetes.default.svc',
      olmCatalogPlacement: 'management',
    },
    status: { conditions: [condition('Available')] },
    refused: [
      {
        how: 'create',
        change: { spec: { services: services.slice(0, 3) } },
        says: ['spec: Invalid value: "object": spec.services in body should have at least 4 items or 3 for IBMCloud'],
      },
      {
        how: 'create',
        change: { spec: { networking: { clusterNetwork: [{ cidr: '10.0.0.0/16' }], serviceNetwork: [{ cidr: '10.0.0.0/16' }] } } },
        says: [
          'spec.networking: Invalid value: "object": CIDR ranges in machineNetwork, clusterNetwork, and serviceNetwork must be unique and non-overlapping',
        ],
      },
      {
        how: 'create',
        change: { spec: { networking: { clusterNetwork: [{ cidr: 'nonsense' }] } } },
        says: [
          'spec.networking.clusterNetwork[0].cidr: Invalid value: "string": cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
        ],
      },
      {
        how: 'create',
        change: { spec: { release: null, controllerAvailabilityPolicy: 'Sometimes' } },
        says: [
          'spec.release: Required value',
          'spec.controllerAvailabilityPolicy: Unsupported value: "Sometimes": supported values: "HighlyAvailable", "SingleReplica"',
          rulesNotChecked,
        ],
      },
      {
        how: 'update',
        change: { spec: { infraID: 'other', dns: { baseDomain: 'other.com' } } },
        says: [
          'spec.infraID: Invalid value: "string": infraID is immutable',
          'spec.dns.baseDomain: Invalid value: "string": baseDomain is immutable',
        ],
      },
      {
        how: 'update',
        change: { spec: { clusterID: null } },
        says: ['<nil>: Invalid value: "object": clusterID cannot be removed once set'],
      },
    ],
  },

  'hostedcontrolplanes.hypershift.openshift.io/v1beta1': {
    spec: {
      releaseImage: image,
      pullSecret: { name: 'pull-secret' },
      sshKey: { name: 'ssh-key' },
      issuerURL: 'https://kubernetes.default.svc',
      infraID: 'infra',
      dns: { baseDomain: 'example.com' },
      platform: { type: 'None' },
      networking,
      services,
      etcd,
    },
    defaults: {
      capabilities: {},
      controllerAvailabilityPolicy: 'HighlyAvailable',
      infrastructureAvailabilityPolicy: 'SingleReplica',
      olmCatalogPlacement: 'management',
    },
    refused: [
      {
        how: 'create',
        change: { spec: { etcd: { managementType: 'Unmanaged' } } },
        says: [
          'spec.etcd: Invalid value: "object": Only managed configuration must be set when managementType is Managed',
          'spec.etcd: Invalid value: "object": Only unmanaged configuration must be set when managementType is Unmanaged',
        ],
      },
      {
        how: 'update',
        change: { spec: { controllerAvailabilityPolicy: 'SingleReplica' } },
        says: ['spec.controllerAvailabilityPolicy: Invalid value: "string": ControllerAvailabilityPolicy is immutable'],
      },
    ],
  },

  'nodepools.hypershift.openshift.io/v1beta1': {
    spec: {
      clusterName: 'prod',
      replicas: 2,
      management: { upgradeType: 'Replace' },
      platform: { type: 'KubeVirt', kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } } } },
      release: { image },
    },
    defaults: {
      arch: 'amd64',
      management: { autoRepair: false, replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      platform: {
        kubevirt: {
          attachDefaultNetwork: true,
          compute: { cores: 2, memory: '8Gi', qosClass: 'Burstable' },
          networkInterfaceMultiqueue: 'Enable',
        },
      },
    },
    refused: [
      {
        how: 'create',
        change: { spec: { autoScaling: { min: 1, max: 3 } } },
        says: ['spec: Invalid value: "object": Both replicas or autoScaling should not be set'],
      },
      {
        how: 'create',
        change: { spec: { replicas: null, autoScaling: { min: 3, max: 1 } } },
        says: ['spec.autoScaling: Invalid value: "object": max must be equal or greater than min'],
      },
      {
        how: 'create',
        change: { spec: { arch: 'mips' } },
        says: ['spec.arch: Unsupported value: "mips": supported values: "arm64", "amd64", "ppc64le", "s390x"', rulesNotChecked],
      },
      {
        how: 'create',
        change: {
          spec: { management: { inPlace: { maxUnavailable: 1 }, replace: { strategy: 'OnDelete', rollingUpdate: { maxSurge: 1 } } } },
        },
        says: [
          "spec.management: Invalid value: \"object\": The 'inPlace' field can only be set when 'upgradeType' is 'InPlace'",
          "spec.management.replace: Invalid value: \"object\": The 'rollingUpdate' field can only be set when 'strategy' is 'RollingUpdate'",
        ],
      },
      {
        how: 'status',
        change: { status: { conditions: [{ type: 'Ready', status: true }] } },
        says: [
          'status.conditions[0].status: Invalid value: "boolean": conditions[0].status in body must be of type string: "boolean"',
          'status.conditions[0].lastTransitionTime: Required value',
          rulesNotChecked,
        ],
      },
    ],
  },

  'controlplanecomponents.hypershift.openshift.io/v1beta1': {
    spec: {},
    status: { version: '4.20.1', conditions: [condition('Available')] },
    refused: [
      {
        how: 'status',
        change: { status: { conditions: [{ ...condition('Available'), status: 'Maybe' }] } },
        says: ['status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"'],
      },
    ],
  },
}
