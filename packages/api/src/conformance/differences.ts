import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '../json.ts'
import { children } from '../structural.ts'

/** What two schemas of one field must agree on, word for word. */
const facts = [
  'type',
  'format',
  'nullable',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]

/**
 * In what our schema differs from upstream's so that an object could be read or refused differently:
 *
 * - a field of ours that upstream does not have, or has in another form;
 * - a field of upstream's that we would drop, because we neither model it nor keep what we do not know;
 * - other required fields, as far as we model them;
 * - a rule of ours that upstream does not have or, where we model the whole object, one that we lack. Rules are told by message.
 */
export function differences(ours: JsonObject, upstream: JsonObject, path = ''): string[] {
  const here = path === '' ? '(root)' : path
  const isOpen = ours['x-kubernetes-preserve-unknown-fields'] === true
  const result = facts
    .filter((fact) => !isDeepStrictEqual(ours[fact], upstream[fact]))
    .map((fact) => `${here}: ${fact} is ${JSON.stringify(ours[fact])}, upstream ${JSON.stringify(upstream[fact])}`)
  const oursBelow = new Map(children(ours))
  const upstreamBelow = new Map(children(upstream))
  for (const [step, child] of oursBelow) {
    const other = upstreamBelow.get(step)
    if (other !== undefined) result.push(...differences(child, other, `${path}${step}`))
    else if (upstream['x-kubernetes-preserve-unknown-fields'] !== true) result.push(`${path}${step}: not upstream`)
  }
  if (!isOpen) {
    const lost = [...upstreamBelow.keys()].filter((step) => !oursBelow.has(step))
    result.push(...lost.map((step) => `${path}${step}: upstream's field would be lost`))
    if (upstream['x-kubernetes-preserve-unknown-fields'] === true) result.push(`${here}: upstream keeps unknown fields`)
  }
  const modelled = (name: string): boolean => oursBelow.has(`.${name}`)
  result.push(...setDifferences(`${here}: required`, strings(ours['required']), strings(upstream['required']).filter(modelled)))
  const rules = messages(upstream)
  result.push(
    ...setDifferences(`${here}: rule`, messages(ours), isOpen ? rules.filter((message) => messages(ours).includes(message)) : rules),
  )
  return result
}

function setDifferences(what: string, ours: readonly string[], upstream: readonly string[]): string[] {
  return [
    ...ours.filter((item) => !upstream.includes(item)).map((item) => `${what} not upstream: ${item}`),
    ...upstream.filter((item) => !ours.includes(item)).map((item) => `${what} missing: ${item}`),
  ]
}

function messages(schema: JsonObject): string[] {
  const rules = schema['x-kubernetes-validations']
  return isList(rules) ? rules.flatMap((rule) => strings([Object(rule)['message'] as Json])) : []
}

function strings(value: Json | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : []
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
