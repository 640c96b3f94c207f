import type { JsonObject } from '../json.ts'

const group = 'test.windlass.dev'

interface DefinitionOptions {
  readonly kind: string
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly group?: string
  readonly version?: string
  readonly spec?: JsonObject
  readonly status?: JsonObject
  readonly subresources?: JsonObject
  readonly selectableFields?: readonly JsonObject[]
}

/** A CustomResourceDefinition with one version; its plural is the kind with an s. */
export function aDefinition(options: DefinitionOptions): JsonObject {
  const { kind, scope = 'Namespaced', version = 'v1', spec = {}, status = {}, subresources = {}, selectableFields = [] } = options
  const plural = `${kind.toLowerCase()}s`
  const of = options.group ?? group
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${of}` },
    spec: {
      group: of,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: anObject(spec), status: anObject(status) } } },
          subresources,
          ...(selectableFields.length === 0 ? {} : { selectableFields }),
        },
      ],
    },
  }
}

const anObject = (properties: JsonObject): JsonObject => ({ type: 'object', properties })
const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** Namespaced, with everything a kind can have. */
export const widgets = aDefinition({
  kind: 'Widget',
  spec: { replicas: count, color: text, note: text, big: { type: 'integer', format: 'int64' } },
  status: { phase: text, replicas: count, selector: text },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
  },
  selectableFields: [{ jsonPath: '.spec.color' }],
})

/** Cluster-wide, with neither status nor scale. */
export const gadgets = aDefinition({ kind: 'Gadget', scope: 'Cluster', spec: { size: count }, status: { phase: text } })

/** The part of the kind that the server itself looks at. */
export const logicalClusters = aDefinition({
  kind: 'LogicalCluster',
  group: 'windlass.dev',
  version: 'v1alpha1',
  scope: 'Cluster',
  spec: { template: text },
  status: {
    phase: text,
    url: text,
    observedGeneration: count,
    kubeconfigSecretRef: anObject({ namespace: text, name: text, key: text }),
    conditions: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
  subresources: { status: {} },
})
