import { forbidden, GoText, invalid, notSupported, required, type FieldError } from '../errors/field-error.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

const listTypes = ['atomic', 'set', 'map']

/** `x-kubernetes-list-type` and its keys. */
export function listErrors(schema: JsonSchema, field: string): readonly FieldError[] {
  const { type = '', items } = schema
  const listType: string | undefined = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const errors: FieldError[] = []
  if (listType !== undefined && type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified'
    errors.push(type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail))
  } else if (listType === 'set' && items !== undefined) errors.push(...setErrors(items, `${field}.items`))
  if (listType !== undefined && !listTypes.includes(listType)) {
    errors.push(notSupported(`${field}.x-kubernetes-list-type`, listType, listTypes))
  }
  if (keys.length > 0 && listType !== 'map') {
    const at = `${field}.x-kubernetes-list-type`
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    errors.push(listType === undefined ? required(at, detail) : invalid(at, listType, detail))
  }
  if (listType === 'map') errors.push(...keyedErrors(items, keys, field))
  if (items !== undefined && (listType === 'set' || listType === 'map')) {
    if (items.nullable === true) {
      errors.push(forbidden(`${field}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`))
    }
    if (listType === 'map') errors.push(...keyFieldErrors(items, keys, `${field}.items`))
  }
  return errors
}

/** Elements of a set are compared whole. */
function setErrors(items: JsonSchema, field: string): readonly FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const inner = items['x-kubernetes-list-type']
  if (items.type === 'array' && inner !== undefined && inner !== 'atomic')
    return [invalid(`${field}.x-kubernetes-list-type`, inner, detail)]
  const isOpen = items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
  return isOpen ? [invalid(`${field}.x-kubernetes-map-type`, new GoText('null'), detail)] : []
}

function keyedErrors(items: JsonSchema | undefined, keys: readonly string[], field: string): readonly FieldError[] {
  const at = `${field}.x-kubernetes-list-map-keys`
  const errors: FieldError[] = []
  if (keys.length === 0) errors.push(required(at, 'must not be empty if x-kubernetes-list-type is map'))
  if (items === undefined) return [...errors, required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map')]
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalid(`${field}.items.type`, items.type ?? '', detail)]
  }
  const shown = new GoText(`[]string{${keys.map((key) => JSON.stringify(key)).join(', ')}}`)
  for (const [index, key] of keys.entries()) {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined
    if (property === undefined) errors.push(invalid(at, shown, 'entries must all be names of item properties'))
    else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalid(`${field}.items.properties[${key}].type`, items.type, detail))
    }
    if (keys.indexOf(key) < index) errors.push(invalid(at, shown, 'must not contain duplicate entries'))
  }
  return errors
}

/** Every element must have its keys. */
function keyFieldErrors(items: JsonSchema, keys: readonly string[], field: string): readonly FieldError[] {
  return keys.flatMap((key) => {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined
    if (property === undefined) return []
    const at = `${field}.properties[${key}]`
    const errors: FieldError[] = []
    if (items.required?.includes(key) !== true && (property.default === undefined || property.default === null)) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
      errors.push(required(`${at}.default`, detail))
    }
    if (property.nullable === true) {
      errors.push(forbidden(`${at}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'))
    }
    return errors
  })
}
