import { isObject, type JsonObject } from '../json.ts'
import { metadataOf, text } from '../registry/object-meta.ts'
import type { ComputedColumn, ResourceType, ResourceVersion } from '../registry/resource.ts'

/** How a Scale looks as a Table. It is no resource of its own, so nothing else describes it. */
const columns: readonly ComputedColumn[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the scaled object.',
    priority: 0,
    cell: (scale) => metadataOf(scale).name ?? '',
  },
  { name: 'Desired', type: 'integer', description: 'How many replicas are wanted.', priority: 0, cell: (scale) => replicasIn(scale.spec) },
  {
    name: 'Available',
    type: 'integer',
    description: 'How many replicas there are.',
    priority: 0,
    cell: (scale) => replicasIn(scale.status),
  },
  {
    name: 'Age',
    type: 'date',
    description: 'Time since the object was created.',
    priority: 0,
    cell: (scale) => ({ age: text(metadataOf(scale).creationTimestamp) }),
  },
]

function replicasIn(part: JsonObject[string] | undefined): number {
  return isObject(part) && typeof part.replicas === 'number' ? part.replicas : 0
}

export const scaleVersion: ResourceVersion = {
  name: 'v1',
  served: true,
  schema: { type: 'object' },
  hasStatus: true,
  columns,
  selectableFields: [],
}

export const scaleType: ResourceType = {
  group: 'autoscaling',
  resource: 'scales',
  singular: 'scale',
  kind: 'Scale',
  listKind: 'ScaleList',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  versions: [scaleVersion],
  storageVersion: 'v1',
  isCustom: false,
  behaviour: {
    names: 'subdomain',
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
    hasGeneration: false,
    deleteAnswersObject: false,
    typed: true,
  },
}
