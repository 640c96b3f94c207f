import { checkRuleExpressions, checkRuleTexts, costText, isTotalTooHigh, type RuleContext } from '../cel/index.ts'
import { forbidden, GoText, invalid, notSupported, required, type FieldError } from '../errors/field-error.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { defaultErrors } from './validate-defaults.ts'
import { listErrors } from './validate-lists.ts'
import { word } from './model.ts'
import { structuralErrors, unsupportedWord } from './structural.ts'

/**
 * What is wrong with the schema of a version: whether it is structural, its defaults, the words it uses, and its rules. Rules are
 * compiled only where everything around and below them is in order.
 */
export function schemaErrors(schema: JsonSchema, hasStatus: boolean, field: string): readonly FieldError[] {
  const errors: FieldError[] = [...rootErrors(schema, hasStatus, field)]
  const unknown = unsupportedWord(schema)
  const structural = unknown === undefined ? structuralErrors(schema, field) : []
  const defaults = unknown === undefined && structural.length === 0 ? defaultErrors(schema, field) : []
  const mayCompile = unknown === undefined && structural.length === 0 && defaults.length === 0
  const costs: RuleCost[] = []
  const rules: RuleContext = { isResourceRoot: true, onEstimate: (at, cost) => costs.push({ field: at, cost }) }
  const walked = walk(schema, field, { ...topContext, rules: mayCompile ? rules : undefined })
  errors.push(...structural, ...defaults, ...walked.errors, ...walked.ruleErrors, ...totalCostErrors(costs, field))
  return errors.length === 0 && unknown !== undefined ? [invalid(field, '', unknown)] : errors
}

interface RuleCost {
  readonly field: string
  readonly cost: number
}

/** The rules of a schema are also judged together; the dearest are named. */
function totalCostErrors(costs: readonly RuleCost[], field: string): readonly FieldError[] {
  if (!isTotalTooHigh(costs.reduce((sum, { cost }) => sum + cost, 0))) return []
  const dearest = costs.toSorted((x, y) => y.cost - x.cost).slice(0, 4)
  const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
  const total = costText('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema')
  return [...dearest.map((each) => forbidden(each.field, detail)), forbidden(field, total)]
}

/** With a status of its own the root may only say what still holds when the status is taken out. */
const forbiddenAtRoot = [
  ['id', '$schema', '$ref', 'default', 'enum', 'maxProperties', 'minProperties', 'allOf', 'oneOf', 'anyOf', 'not', 'additionalProperties'],
  ['patternProperties', 'dependencies', 'additionalItems', 'definitions', 'nullable', 'x-kubernetes-embedded-resource'],
  ['x-kubernetes-int-or-string', 'x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
].flat()

const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems ' +
  'UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'

function rootErrors(schema: JsonSchema, hasStatus: boolean, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const { type = '' } = schema
  if (hasStatus) {
    if (type !== '' && type !== 'object') {
      errors.push(
        invalid(
          `${field}.type`,
          type,
          'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
        ),
      )
    } else if (forbiddenAtRoot.some((name) => isGiven(word(schema, name)))) {
      const shown = new GoText('apiextensions.JSONSchemaProps{…}')
      const detail = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`
      errors.push(invalid(field, shown, detail))
    }
  }
  if (schema.nullable === true) errors.push(forbidden(`${field}.nullable`, 'nullable cannot be true at the root'))
  return errors
}

function isGiven(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== undefined && value !== false && value !== ''
}

/** What a node inherits from those above it. */
interface Context {
  readonly isRoot: boolean
  /** Why there may be no default; undefined where there may. */
  readonly noDefaults: string | undefined
  readonly isInMetadata: boolean
  /** The nearest list or map above, from the top, whose parts cannot be matched with their old selves. */
  readonly uncorrelatable: string | undefined
  /** Set where rules are to be compiled. */
  readonly rules: RuleContext | undefined
}

const topContext: Context = { isRoot: true, noDefaults: undefined, isInMetadata: false, uncorrelatable: undefined, rules: undefined }

interface Findings {
  readonly errors: FieldError[]
  readonly ruleErrors: FieldError[]
}

function walk(schema: JsonSchema, field: string, context: Context): Findings {
  const errors: FieldError[] = [...wordErrors(schema, field, context)]
  const ruleErrors: FieldError[] = []
  for (const [child, at, inherited] of parts(schema, field, { ...context, isRoot: false })) {
    const found = walk(child, at, context.isRoot || isEmbedded(schema) ? insideResource(inherited, at, field, context.isRoot) : inherited)
    errors.push(...found.errors)
    ruleErrors.push(...found.ruleErrors)
  }
  errors.push(...mapErrors(schema, field), ...listErrors(schema, field), ...checkRuleTexts(schema, field))
  if (context.rules !== undefined && errors.length === 0) {
    const { uncorrelatable } = context
    ruleErrors.push(
      ...checkRuleExpressions(schema, field, { ...context.rules, ...(uncorrelatable === undefined ? {} : { uncorrelatable }) }),
    )
  }
  return { errors, ruleErrors }
}

const isEmbedded = (schema: JsonSchema): boolean => schema['x-kubernetes-embedded-resource'] === true

/** apiVersion, kind and metadata of a resource are the server's own: at the top they may have no defaults. */
function insideResource(context: Context, at: string, parent: string, isTop: boolean): Context {
  const name = ['apiVersion', 'kind', 'metadata'].find((each) => at === `${parent}.properties[${each}]`)
  if (name === undefined) return context
  return { ...context, isInMetadata: true, noDefaults: isTop ? `in top-level ${name}` : context.noDefaults }
}

/** The schemas inside a schema, where they stand, and what they inherit. */
function parts(schema: JsonSchema, field: string, context: Context): readonly (readonly [JsonSchema, string, Context])[] {
  const { properties = {}, additionalProperties, items, not, allOf = [], oneOf = [], anyOf = [] } = schema
  const withRules = (child: JsonSchema, more: Partial<Context>): Context => ({
    ...context,
    ...more,
    rules: context.rules === undefined ? undefined : { ...context.rules, isResourceRoot: isEmbedded(child) },
  })
  const inMap = schema['x-kubernetes-map-type'] === 'atomic' ? (context.uncorrelatable ?? field) : context.uncorrelatable
  const inList = schema['x-kubernetes-list-type'] === 'map' ? context.uncorrelatable : (context.uncorrelatable ?? field)
  const noRules = { ...context, rules: undefined }
  const found: (readonly [JsonSchema, string, Context])[] = []
  if (typeof additionalProperties === 'object') {
    const noDefaults = context.isInMetadata ? 'inside additionalProperties applying to object metadata' : context.noDefaults
    found.push([additionalProperties, `${field}.additionalProperties`, withRules(additionalProperties, { noDefaults })])
  }
  for (const [name, property] of Object.entries(properties)) {
    found.push([property, `${field}.properties[${name}]`, withRules(property, { uncorrelatable: inMap })])
  }
  if (not !== undefined) found.push([not, `${field}.not`, noRules])
  for (const [name, list] of [
    ['allOf', allOf],
    ['oneOf', oneOf],
    ['anyOf', anyOf],
  ] as const) {
    for (const [index, each] of list.entries()) found.push([each, `${field}.${name}[${index}]`, noRules])
  }
  if (items !== undefined && !Array.isArray(items)) found.push([items, `${field}.items`, withRules(items, { uncorrelatable: inList })])
  return found
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']

/** Words that no schema may use, and values that words may not have. */
function wordErrors(schema: JsonSchema, field: string, context: Context): readonly FieldError[] {
  const { type = '', items, additionalProperties, properties = {} } = schema
  const errors: FieldError[] = []
  if (type !== '' && !types.includes(type)) errors.push(notSupported(`${field}.type`, type, types))
  if (schema.default !== undefined && schema.default !== null && context.noDefaults !== undefined) {
    errors.push(forbidden(`${field}.default`, `must not be set ${context.noDefaults}`))
  }
  for (const name of unsupported) if (isGiven(word(schema, name))) errors.push(forbidden(`${field}.${name}`, `${name} is not supported`))
  if (type === 'null') errors.push(forbidden(`${field}.type`, 'type cannot be set to null, use nullable as an alternative'))
  if (Array.isArray(items)) errors.push(forbidden(`${field}.items`, 'items must be a schema object and not an array'))
  if (context.isInMetadata && isEmbedded(schema)) {
    errors.push(forbidden(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'))
  }
  if (schema.uniqueItems === true) {
    errors.push(forbidden(`${field}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'))
  }
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0) {
    errors.push(forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
  }
  return errors
}

function mapErrors(schema: JsonSchema, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  }
  const { type = '', 'x-kubernetes-map-type': mapType } = schema
  if (mapType === undefined) return errors
  if (type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified'
    errors.push(type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail))
  }
  if (!['atomic', 'granular'].includes(mapType))
    errors.push(notSupported(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  return errors
}
