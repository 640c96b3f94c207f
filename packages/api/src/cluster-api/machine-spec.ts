import type { TObject } from 'typebox'
import { objectReference } from '../meta/index.ts'
import { choice, duration, list, map, object, optional, text } from '../schema/index.ts'

export const group = 'cluster.x-k8s.io'
export const version = 'v1beta1'
export const categories = ['cluster-api']

export const clusterName = text('The Cluster that it belongs to.', { minLength: 1, maxLength: 63 })

export const conditionType = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
const taintKey = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`

/** Conditions that must hold too before something counts as ready. */
export const gates = list(
  'Conditions that must hold too.',
  object('One condition.', {
    conditionType: text('Its type.', { minLength: 1, maxLength: 316, pattern: conditionType }),
    polarity: optional(choice('Whether True or False is good.', ['Positive', 'Negative'])),
  }),
  { maxItems: 32, keys: ['conditionType'] },
)

const fields = {
  clusterName,
  bootstrap: object('How a machine finds out what to become.', {
    configRef: optional(objectReference('What writes its user data.')),
    dataSecretName: optional(text('The Secret with its user data.', { minLength: 0, maxLength: 253 })),
  }),
  infrastructureRef: objectReference('What the provider makes it from.'),
  version: optional(text('The version that it runs. A node pool writes the version of OpenShift here.', { minLength: 1, maxLength: 256 })),
  providerID: optional(text('The name that the provider gave it; its node says the same.', { minLength: 1, maxLength: 512 })),
  failureDomain: optional(text('Where it is to run.', { minLength: 1, maxLength: 256 })),
  readinessGates: optional(gates),
  taints: optional(
    list(
      'Taints for its node.',
      object('One taint.', {
        key: text('Its key.', { minLength: 1, maxLength: 317, pattern: taintKey }),
        value: optional(text('Its value.', { minLength: 1, maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' })),
        effect: choice('What it does to pods.', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
        propagation: choice('Whether it is kept up or set once.', ['Always', 'OnInitialization']),
      }),
      { minItems: 1, maxItems: 64, keys: ['key', 'effect'] },
    ),
  ),
  nodeDrainTimeout: optional(duration('How long draining may take; for ever unless told.')),
  nodeVolumeDetachTimeout: optional(duration('How long detaching volumes may take; for ever unless told.')),
  nodeDeletionTimeout: optional(duration('How long deleting the node may take.')),
}

export function machineSpec(description: string): TObject<typeof fields> {
  return object(description, fields)
}

const templateFields = {
  metadata: optional(
    object('What a machine is born with.', {
      labels: optional(map('Labels.', text('A value.'))),
      annotations: optional(map('Annotations.', text('A value.'))),
    }),
  ),
  spec: optional(machineSpec('The machine.')),
}

export function machineTemplate(description: string): TObject<typeof templateFields> {
  return object(description, templateFields)
}

/** How new machines are named. */
export const machineNaming = object('How machines are named.', {
  template: optional(text('A Go template.', { minLength: 1, maxLength: 256 })),
})

export const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
}
