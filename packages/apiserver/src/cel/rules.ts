import { duplicate, forbidden, invalid, required, type FieldError } from '../errors/field-error.ts'
import type { Json } from '../json.ts'
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts'
import { compile, type Outcome, type Program } from './compile.ts'
import { convert } from './convert.ts'
import { CompileError, CostExceededError, EvaluationError } from './errors.ts'
import { findField } from './field-path.ts'
import { schemaType } from './schema-type.ts'
import { optional, type CelType } from './types.ts'
import { OptionalValue, type Value } from './values.ts'

/** The steps that all rules of one object may still take together. */
export interface RuleBudget {
  remaining: number
}

/** What one object may cost. */
export const objectBudget = 10_000_000
/** What one evaluation of one expression may cost. */
export const expressionLimit = 1_000_000
/** A longer message is not shown; the static one is. */
const longestMessage = 5 * 1024

export interface RuleFailure {
  readonly error: FieldError
  /** The rule compares with the old value, or could not be evaluated: such failures stand even if nothing changed. */
  readonly isTransition: boolean
}

export interface CompiledRules {
  evaluate(self: Json, oldSelf: Json | undefined, field: string, budget: RuleBudget): readonly RuleFailure[]
}

const atRoots = new WeakMap<JsonSchema, CompiledRules>()
const elsewhere = new WeakMap<JsonSchema, CompiledRules>()

/** The `x-kubernetes-validations` of one node of a schema (not of what is below it). Compiled when first used, once per schema. */
export function compileRules(schema: JsonSchema, options: { isResourceRoot: boolean }): CompiledRules {
  const known = options.isResourceRoot ? atRoots : elsewhere
  const found = known.get(schema)
  if (found !== undefined) return found
  const rules = new NodeRules(schema, options.isResourceRoot)
  known.set(schema, rules)
  return rules
}

/** One rule, ready to run. `problem` is set instead of a program when it does not compile. */
interface CompiledRule {
  readonly rule: ValidationRule
  readonly program: Program | undefined
  readonly problem: string | undefined
  readonly message: Program | undefined
  readonly usesOldSelf: boolean
  /** `fieldPath` in the form of error messages. */
  readonly path: string | undefined
}

class NodeRules implements CompiledRules {
  readonly #schema: JsonSchema
  readonly #isResourceRoot: boolean
  #compiled: readonly CompiledRule[] | undefined
  #type: CelType | undefined

  constructor(schema: JsonSchema, isResourceRoot: boolean) {
    this.#schema = schema
    this.#isResourceRoot = isResourceRoot
  }

  evaluate(self: Json, oldSelf: Json | undefined, field: string, budget: RuleBudget): readonly RuleFailure[] {
    const rules = this.#rules()
    const type = this.#type
    if (self === null || rules.length === 0 || type === undefined || budget.remaining < 0) return none
    const values = lazily(() => convertible(self, type))
    const old = oldSelf === undefined || oldSelf === null ? undefined : lazily(() => convertible(oldSelf, type))
    const failures: RuleFailure[] = []
    const at = field === '' ? '<nil>' : field
    for (const rule of rules) {
      if (budget.remaining <= 0) return this.#outOfBudget(failures, at, budget)
      const failure = this.#judge(rule, values, old, at, budget)
      if (failure !== undefined) failures.push(failure)
      if (budget.remaining < 0) break
    }
    return failures
  }

  #rules(): readonly CompiledRule[] {
    if (this.#compiled === undefined) {
      const type = schemaType(this.#schema, this.#isResourceRoot)
      this.#type = type
      const rules = type === undefined ? [] : (this.#schema['x-kubernetes-validations'] ?? [])
      this.#compiled = rules.flatMap((rule) => (type === undefined ? [] : [compileRule(rule, type, this.#schema)]))
    }
    return this.#compiled
  }

  /** What one rule says; undefined when it holds or does not apply. */
  #judge(
    compiled: CompiledRule,
    self: () => Value | EvaluationError,
    old: (() => Value | EvaluationError) | undefined,
    field: string,
    budget: RuleBudget,
  ): RuleFailure | undefined {
    const { rule, program, usesOldSelf } = compiled
    if (compiled.problem !== undefined) return this.#broken(field, `rule compile error: ${compiled.problem}`)
    if (program === undefined) return undefined
    const isOptional = rule.optionalOldSelf === true
    if (usesOldSelf && old === undefined && !isOptional) return undefined
    const values = valuesFor(self, usesOldSelf ? old : undefined, isOptional)
    const outcome: Outcome = values instanceof EvaluationError ? { result: values, cost: 1 } : program.run(values, expressionLimit)
    if (outcome.cost > budget.remaining) {
      budget.remaining = -1
      return this.#broken(field, outOfBudgetText)
    }
    budget.remaining -= outcome.cost
    const { result } = outcome
    if (result === true) return undefined
    if (result instanceof CostExceededError) budget.remaining = -1
    if (result instanceof Error) return this.#broken(field, failureText(result, rule))
    const message = this.#message(compiled, values instanceof EvaluationError ? [] : values, budget)
    const at = compiled.path === undefined ? field : field === '<nil>' ? compiled.path : `${field}.${compiled.path}`
    return { error: fieldError(rule, at, this.#shown(), message), isTransition: usesOldSelf }
  }

  #message({ message, rule }: CompiledRule, values: readonly Value[], budget: RuleBudget): string {
    const fallback = rule.message === undefined || rule.message === '' ? `failed rule: ${rule.rule.trim()}` : rule.message.trim()
    if (message === undefined) return fallback
    const { result, cost } = message.run(values, expressionLimit)
    if (cost > budget.remaining) {
      budget.remaining = -1
      return 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run'
    }
    budget.remaining -= cost
    const text = typeof result === 'string' ? result.trim() : ''
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > longestMessage ? fallback : text
  }

  /** Messages show the type of the value, not the value. */
  #shown(): string {
    return this.#schema.type ?? ''
  }

  #broken(field: string, text: string): RuleFailure {
    return { error: invalid(field, this.#shown(), text), isTransition: true }
  }

  #outOfBudget(failures: readonly RuleFailure[], field: string, budget: RuleBudget): readonly RuleFailure[] {
    budget.remaining = -1
    return [...failures, this.#broken(field, outOfBudgetText)]
  }
}

const none: readonly RuleFailure[] = []
const outOfBudgetText = 'validation failed due to running out of cost budget, no further validation rules will be run'

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The value, or the reason why the data does not fit the schema. */
function convertible(json: Json, type: CelType): Value | EvaluationError {
  try {
    return convert(json, type)
  } catch (error) {
    if (error instanceof EvaluationError) return error
    throw error
  }
}

function valuesFor(
  self: () => Value | EvaluationError,
  old: (() => Value | EvaluationError) | undefined,
  isOptional: boolean,
): readonly Value[] | EvaluationError {
  const [mine, before] = [self(), old?.()]
  if (mine instanceof EvaluationError) return mine
  if (before instanceof EvaluationError) return before
  if (isOptional) return [mine, new OptionalValue(before)]
  return [mine, before ?? null]
}

/** The variables of a rule. */
export function ruleVariables(type: CelType, rule: ValidationRule): readonly (readonly [string, CelType])[] {
  return [
    ['self', type],
    ['oldSelf', rule.optionalOldSelf === true ? optional(type) : type],
  ]
}

function compileRule(rule: ValidationRule, type: CelType, schema: JsonSchema): CompiledRule {
  const found = rule.fieldPath === undefined || rule.fieldPath === '' ? undefined : findField(rule.fieldPath, schema)
  const path = typeof found === 'object' ? found.path : undefined
  const empty = { rule, program: undefined, problem: undefined, message: undefined, usesOldSelf: false, path }
  if (rule.rule.trim() === '') return empty
  try {
    const variables = ruleVariables(type, rule)
    const program = compile(rule.rule, variables)
    const { messageExpression = '' } = rule
    const message = messageExpression.trim() === '' ? undefined : compile(messageExpression, variables)
    return { ...empty, program, message, usesOldSelf: program.used.has('oldSelf') }
  } catch (error) {
    if (error instanceof CompileError) return { ...empty, problem: error.message }
    throw error
  }
}

function failureText(error: EvaluationError | CostExceededError, rule: ValidationRule): string {
  const name = rule.message === undefined || rule.message === '' ? rule.rule.trim() : rule.message.trim()
  if (error instanceof CostExceededError) {
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`
  }
  if (error.message.startsWith('no such overload')) {
    return `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`
  }
  return `${error.message} evaluating rule: ${name}`
}

function fieldError({ reason }: ValidationRule, field: string, shown: string, detail: string): FieldError {
  if (reason === 'FieldValueForbidden') return forbidden(field, detail)
  if (reason === 'FieldValueRequired') return required(field, detail)
  return reason === 'FieldValueDuplicate' ? duplicate(field, shown) : invalid(field, shown, detail)
}
