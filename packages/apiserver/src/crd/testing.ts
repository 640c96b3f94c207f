import type { JsonObject } from '../json.ts'
import type { WriteContext } from '../registry/resource.ts'
import { customResourceDefinitions } from './definition.ts'
import { object } from './model.ts'

/** Definitions for tests: whole and valid, then changed in the one place that matters. */
export const context: WriteContext = {
  now: Date.UTC(2026, 0, 1),
  random: {
    next: () => 0.5,
    below: () => 0,
    uuid: () => '00000000-0000-4000-8000-000000000000',
    bytes: (length) => new Uint8Array(length),
  },
  subresource: '',
  user: 'admin',
}

const group = 'test.windlass.dev'

export function aVersion(changes: JsonObject = {}): JsonObject {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...changes }
}

/** A definition as a client writes it. */
export function aDefinition(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}`, ...metadata },
    spec: { group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: [aVersion()], ...spec },
  }
}

/** What the server makes of a new definition before it is checked. */
export function created(definition: JsonObject): JsonObject {
  const { normalize, prepareForCreate } = customResourceDefinitions.behaviour
  const normal = normalize?.(definition, context) ?? definition
  return prepareForCreate?.(normal, context) ?? normal
}

export const withSchema = (openAPIV3Schema: JsonObject): JsonObject =>
  aDefinition({ versions: [aVersion({ schema: { openAPIV3Schema } })] })

/** A definition whose `spec` has these properties. */
export const withProperties = (properties: JsonObject): JsonObject =>
  withSchema({ type: 'object', properties: { spec: { type: 'object', properties } } })

export const withStatus = (definition: JsonObject, status: JsonObject): JsonObject => ({
  ...definition,
  status: { ...object(definition.status), ...status },
})
