import { forbidden, GoText, invalid, notSupported, required, type FieldError } from '../errors/field-error.ts'
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts'
import { compile, type Program } from './compile.ts'
import { CompileError } from './errors.ts'
import { findField } from './field-path.ts'
import { ruleVariables } from './rules.ts'
import { schemaType } from './schema-type.ts'
import type { CelType } from './types.ts'

export interface RuleContext {
  readonly isResourceRoot: boolean
  /** The list or map below which old and new values cannot be told which belongs to which, if there is one. */
  readonly uncorrelatable?: string
  /** Hears what each expression costs at worst. */
  readonly onEstimate?: (field: string, cost: number) => void
}

/**
 * What is wrong with the `x-kubernetes-validations` of one node, as a CustomResourceDefinition is told. Expressions are compiled only
 * if the rest is in order.
 *
 * @param field path of the node: `spec.validation.openAPIV3Schema.properties[spec]`
 */
export function checkRules(schema: JsonSchema, field: string, context: RuleContext): readonly FieldError[] {
  const texts = checkRuleTexts(schema, field)
  return texts.length > 0 ? texts : checkRuleExpressions(schema, field, context)
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

/** Everything about rules but their expressions. */
export function checkRuleTexts(schema: JsonSchema, field: string): readonly FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  return rules.flatMap((rule, index) => checkTexts(rule, `${field}.x-kubernetes-validations[${index}]`, schema))
}

function checkTexts(rule: ValidationRule, field: string, schema: JsonSchema): readonly FieldError[] {
  const errors: FieldError[] = []
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule
  if (rule.rule.trim() === '') errors.push(required(`${field}.rule`, 'rule is not specified'))
  else if (message !== '' && message.trim() === '')
    errors.push(invalid(`${field}.message`, message, 'message must be non-empty if specified'))
  else if (hasLineBreak(message.trim())) errors.push(invalid(`${field}.message`, message, 'message must not contain line breaks'))
  else if (hasLineBreak(rule.rule.trim()) && message.trim() === '') {
    errors.push(required(`${field}.message`, 'message must be specified if rule contains line breaks'))
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${field}.reason`, reason, reasons))
  if (fieldPath !== '') errors.push(...checkFieldPath(fieldPath, `${field}.fieldPath`, schema))
  return errors
}

function checkFieldPath(path: string, field: string, schema: JsonSchema): readonly FieldError[] {
  const problems: string[] = []
  if (path.trim() === '') problems.push('fieldPath must be non-empty if specified')
  if (hasLineBreak(path)) problems.push('fieldPath must not contain line breaks')
  if (typeof findField(path, schema) === 'string') problems.push('fieldPath must be a valid path')
  return problems.map((problem) => invalid(field, path, problem))
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text)

/** Syntax, unknown fields, wrong types and misused `oldSelf`. */
export function checkRuleExpressions(schema: JsonSchema, field: string, context: RuleContext): readonly FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  if (rules.length === 0) return []
  const type = schemaType(schema, context.isResourceRoot)
  if (type === undefined) {
    const detail = 'internal error: failed to construct type information for x-kubernetes-validations rules'
    return [{ type: 'Internal', field: `${field}.x-kubernetes-validations`, detail }]
  }
  return rules.flatMap((rule, index) => checkExpressions(rule, type, `${field}.x-kubernetes-validations[${index}]`, context))
}

function checkExpressions(rule: ValidationRule, type: CelType, field: string, context: RuleContext): readonly FieldError[] {
  const shown = new GoText(ruleText(rule))
  const variables = ruleVariables(type, rule)
  const program = tryCompile(rule.rule, variables)
  if (typeof program === 'string') return [invalid(`${field}.rule`, shown, `compilation failed: ${program}`)]
  if (program.type.kind !== 'bool') return [invalid(`${field}.rule`, shown, 'cel expression must evaluate to a bool')]
  const errors: FieldError[] = [...costErrors(program.estimate, 'estimated rule cost', `${field}.rule`)]
  context.onEstimate?.(`${field}.rule`, program.estimate)
  const { messageExpression = '' } = rule
  if (messageExpression !== '') {
    const message = tryCompile(messageExpression, variables)
    if (typeof message === 'string') {
      errors.push(invalid(`${field}.messageExpression`, shown, `messageExpression compilation failed: ${message}`))
    } else if (message.type.kind !== 'string') {
      errors.push(invalid(`${field}.messageExpression`, shown, 'messageExpression must evaluate to a string'))
    }
  }
  if (program.used.has('oldSelf')) {
    if (context.uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${context.uncorrelatable}`
      errors.push(invalid(`${field}.rule`, rule.rule, detail))
    }
  } else if (rule.optionalOldSelf !== undefined) {
    errors.push(invalid(`${field}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'))
  }
  return errors
}

/** What an expression may cost by estimate. */
const estimateLimit = 10_000_000

/** Our estimates are rough: only what is beyond the limit by far is refused. */
const tolerance = 100

function costErrors(cost: number, what: string, field: string): readonly FieldError[] {
  return cost > estimateLimit * tolerance ? [forbidden(field, costText(what))] : []
}

/** What is said of costs that are out of all proportion. */
export function costText(what: string): string {
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${what} exceeds budget by factor of more than ${tolerance}x (${advice})`
}

/** Whether the rules of a whole schema cost more than a real server would ever accept. */
export function isTotalTooHigh(cost: number): boolean {
  return cost > 10 * estimateLimit * tolerance
}

function tryCompile(source: string, variables: readonly (readonly [string, CelType])[]): Program | string {
  try {
    return compile(source, variables)
  } catch (error) {
    if (error instanceof CompileError) return error.message
    throw error
  }
}

const pointer = (type: string, value: unknown): string => (value === undefined ? `(*${type})(nil)` : `(*${type})(0xc000000000)`)
const text = (value: string | undefined): string => JSON.stringify(value ?? '')

/** Real servers print the whole rule the way Go prints a struct. */
function ruleText(rule: ValidationRule): string {
  return (
    `apiextensions.ValidationRule{Rule:${text(rule.rule)}, Message:${text(rule.message)}, ` +
    `MessageExpression:${text(rule.messageExpression)}, Reason:${pointer('apiextensions.FieldValueErrorReason', rule.reason)}, ` +
    `FieldPath:${text(rule.fieldPath)}, OptionalOldSelf:${pointer('bool', rule.optionalOldSelf)}}`
  )
}
