import { Compile } from 'typebox/schema'
import type { Json, JsonObject } from '../json.ts'
import type { KubernetesObject } from '../meta/object-meta.ts'

/**
 * Checks objects against a CRD's schema without an API server: types, limits, required fields, and no field that the server would
 * drop. CEL rules are not evaluated here.
 */
export function schemaChecker(openAPIV3Schema: JsonObject): (object: KubernetesObject) => string[] {
  const validator = Compile(toJsonSchema(openAPIV3Schema, true))
  return (object) => {
    const [, errors] = validator.Errors(object)
    return errors.map((error) => `${error.instancePath === '' ? '(root)' : error.instancePath} ${error.message}`)
  }
}

/** The dialect of CRDs in plain JSON schema: `nullable` becomes a second type, unknown fields of closed objects become errors. */
function toJsonSchema(schema: JsonObject, isRoot = false): JsonObject {
  const { nullable, type, properties, items, additionalProperties, format: _, ...rest } = schema
  const isClosed = isObject(properties) && schema['x-kubernetes-preserve-unknown-fields'] !== true
  const words = Object.entries(rest).filter(([word]) => !word.startsWith('x-kubernetes-') && word !== 'description' && word !== 'default')
  return {
    ...Object.fromEntries(words),
    ...(type === undefined ? {} : { type: nullable === true && typeof type === 'string' ? [type, 'null'] : type }),
    ...(isObject(properties) ? { properties: mapValues(properties, isRoot) } : {}),
    ...(isObject(items) ? { items: toJsonSchema(items) } : {}),
    ...(isObject(additionalProperties) ? { additionalProperties: toJsonSchema(additionalProperties) } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

/** Metadata is the API server's business and described in no CRD. */
function mapValues(properties: JsonObject, isRoot: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]): [string, Json] => [
      name,
      isObject(value) && !(isRoot && name === 'metadata') ? toJsonSchema(value) : value,
    ]),
  )
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
