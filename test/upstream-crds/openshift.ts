import { condition, rulesNotChecked, type Sample, when } from './sample.ts'

const synchronizer = {
  poolSynchronizerType: 'PinnedImageSets',
  machineCount: 3,
  updatedMachineCount: 3,
  readyMachineCount: 3,
  availableMachineCount: 3,
  unavailableMachineCount: 0,
  observedGeneration: 5,
}

export const openshift: Readonly<Record<string, Sample>> = {
  'clusterversions.config.openshift.io/v1': {
    name: 'version',
    spec: { clusterID: '11111111-2222-3333-4444-555555555555', channel: 'stable-4.20' },
    refused: [
      { how: 'create', change: { spec: { clusterID: null } }, says: ['spec.clusterID: Required value', rulesNotChecked] },
      {
        how: 'create',
        change: { spec: { desiredUpdate: { architecture: 'Multi', image: 'x', version: '4.20.1' } } },
        says: ['spec.desiredUpdate: Invalid value: "object": cannot set both Architecture and Image'],
      },
      {
        how: 'update',
        change: { spec: { desiredUpdate: { architecture: 'Multi' } } },
        says: [
          'spec.desiredUpdate: Invalid value: "object": no such key: version evaluating rule: Version must be set if Architecture is set',
        ],
        only: 'upstream',
      },
      {
        // Ours looks before it reads.
        how: 'update',
        change: { spec: { desiredUpdate: { architecture: 'Multi' } } },
        says: ['spec.desiredUpdate: Invalid value: "object": Version must be set if Architecture is set'],
        only: 'ours',
      },
    ],
  },

  'clusteroperators.config.openshift.io/v1': {
    name: 'etcd',
    spec: {},
    status: {
      versions: [{ name: 'operator', version: '4.20.1' }],
      conditions: [{ type: 'Available', status: 'True', lastTransitionTime: when }],
      extension: { kept: { as: ['it', 'is'] } },
    },
    refused: [
      { how: 'create', change: { spec: null }, says: ['spec: Required value'] },
      { how: 'status', change: { status: { versions: [{ name: 'operator' }] } }, says: ['status.versions[0].version: Required value'] },
    ],
  },

  'machineconfigpools.machineconfiguration.openshift.io/v1': {
    name: 'worker',
    spec: { paused: false, nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } } },
    status: { poolSynchronizersStatus: [synchronizer] },
    refused: [
      {
        how: 'status',
        change: { status: { poolSynchronizersStatus: [{ ...synchronizer, updatedMachineCount: 4, observedGeneration: 4 }] } },
        says: [
          'status.poolSynchronizersStatus[0]: Invalid value: "object": machineCount must be greater than or equal to updatedMachineCount',
          'status.poolSynchronizersStatus[0].observedGeneration: Invalid value: "integer": observedGeneration must not move backwards except to zero',
        ],
      },
    ],
  },

  'machineconfigs.machineconfiguration.openshift.io/v1': {
    name: 'rendered-worker',
    // Somebody else's format, kept whatever it holds.
    spec: { config: { ignition: { version: '3.2.0' }, nonsense: [1, { two: true }] }, osImageURL: 'registry.example.com/os:1' },
    refused: [
      {
        how: 'create',
        change: { spec: { fips: 'yes' } },
        says: ['spec.fips: Invalid value: "string": spec.fips in body must be of type boolean: "string"'],
      },
    ],
  },

  'upgradeconfigs.upgrade.managed.openshift.io/v1alpha1': {
    spec: { type: 'OSD', upgradeAt: when, PDBForceDrainTimeout: 60, desired: { version: '4.20.1', channel: 'stable-4.20' } },
    status: { history: [{ phase: 'Upgrading', version: '4.20.1', startTime: when, conditions: [{ type: 'Validation', status: 'True' }] }] },
    refused: [
      {
        how: 'create',
        change: { spec: { type: 'ROSA', upgradeAt: 5, PDBForceDrainTimeout: -1, desired: null } },
        says: [
          'spec.type: Unsupported value: "ROSA": supported values: "OSD", "ARO"',
          'spec.upgradeAt: Invalid value: "integer": spec.upgradeAt in body must be of type string: "integer"',
          'spec.PDBForceDrainTimeout: Invalid value: -1: spec.PDBForceDrainTimeout in body should be greater than or equal to 0',
          'spec.desired: Required value',
        ],
      },
      {
        how: 'status',
        only: 'upstream',
        change: { status: { history: [{ phase: 'Dreaming' }] } },
        says: [
          'status.history[0].phase: Unsupported value: "Dreaming": supported values: "New", "Pending", "Upgrading", "Upgraded", "Failed"',
        ],
      },
      {
        how: 'status',
        only: 'ours',
        change: { status: { history: [{ phase: 'Dreaming' }] } },
        says: [
          'status.history[0].phase: Unsupported value: "Dreaming": supported values: "New", "Pending", "Upgrading", "Upgraded", "Failed", "Unknown"',
        ],
      },
    ],
  },

  'clusteroperatorprogressinsights.openshift.muller.dev/v1alpha1': {
    name: 'etcd',
    spec: {},
    status: { name: 'etcd', conditions: [condition('Updating', 'False')] },
    refused: [
      {
        how: 'status',
        change: { status: { name: 'other' } },
        says: ['<nil>: Invalid value: "object": When status is present, .status must match .metadata.name'],
      },
    ],
  },

  'clusterversionprogressinsights.openshift.muller.dev/v1alpha1': {
    name: 'version',
    spec: {},
    status: {
      name: 'version',
      assessment: 'Progressing',
      completionPercent: 42,
      startedAt: when,
      lastObservedProgress: when,
      versions: { previous: { version: '4.20.1' }, target: { version: '4.20.2' } },
      conditions: [condition('Updating')],
    },
    refused: [
      {
        how: 'status',
        change: { status: { versions: { previous: null } } },
        says: [
          'status.versions: Invalid value: "object": target version must have \'Installation\' metadata when previous version is empty',
        ],
      },
      {
        how: 'status',
        change: { status: { versions: { target: { version: null } } } },
        says: ['status.versions.target: Invalid value: "object": Target version must be set and not empty'],
      },
      {
        how: 'status',
        change: { status: { completionPercent: 101 } },
        says: ['status.completionPercent: Invalid value: 101: completionPercent in body should be less than or equal to 100'],
      },
    ],
  },

  'machineconfigpoolprogressinsights.openshift.muller.dev/v1alpha1': {
    name: 'worker',
    spec: {},
    status: {
      name: 'worker',
      scopeType: 'WorkerPool',
      assessment: 'Pending',
      completionPercent: 0,
      summaries: [{ type: 'Total', count: 3 }],
      conditions: [condition('Updating', 'False')],
    },
    refused: [
      {
        how: 'status',
        change: { status: { name: 'master' } },
        says: ['<nil>: Invalid value: "object": When status is present, .status.name must match .metadata.name'],
      },
    ],
  },

  'nodeprogressinsights.openshift.muller.dev/v1alpha1': {
    name: 'worker-0',
    spec: {},
    status: {
      name: 'worker-0',
      scopeType: 'WorkerPool',
      version: '4.20.1',
      poolResource: { group: 'machineconfiguration.openshift.io', resource: 'machineconfigpools', name: 'worker' },
      conditions: [condition('Updating')],
    },
    refused: [
      {
        how: 'status',
        change: { status: { poolResource: { group: 'example.com', name: 'Not_A_Name' } } },
        says: [
          'status.poolResource: Invalid value: "object": resource must be a machineconfigpools.machineconfiguration.openshift.io resource',
          "status.poolResource.name: Invalid value: \"string\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character.",
        ],
      },
    ],
  },

  'updatehealthinsights.openshift.muller.dev/v1alpha1': {
    spec: {},
    status: {
      startedAt: when,
      scope: { type: 'ControlPlane', resources: [{ group: 'config.openshift.io', resource: 'clusteroperators', name: 'etcd' }] },
      impact: { level: 'Warning', type: 'Update Stalled', summary: 'stalled' },
      remediation: { reference: 'https://example.com/x' },
    },
    refused: [
      {
        how: 'status',
        change: { status: { remediation: { reference: 'not a url' } } },
        says: ['status.remediation.reference: Invalid value: "string": reference must a valid URL'],
      },
      {
        how: 'status',
        change: { status: { impact: { level: 'Terrible', summary: '' } } },
        says: [
          'status.impact.level: Unsupported value: "Terrible": supported values: "Unknown", "Info", "Warning", "Error", "Critical"',
          'status.impact.summary: Invalid value: "": impact.summary in body should be at least 1 chars long',
          rulesNotChecked,
        ],
      },
    ],
  },
}
