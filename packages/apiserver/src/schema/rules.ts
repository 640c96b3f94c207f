import { type CompiledRules, compileRules, objectBudget, type RuleBudget } from '../cel/index.ts'
import { errorText, type FieldError } from '../errors/field-error.ts'
import { equalJson, isArray, isObject, type Json, type JsonObject } from '../json.ts'
import { type Correlate, correlation } from './correlate.ts'
import type { JsonSchema, ValidationRule } from './json-schema.ts'
import { lazy, memoised } from './memo.ts'
import { fieldPath } from './place.ts'
import { reachOf } from './reach.ts'
import { additionalSchema, isNamed } from './shape.ts'

const hasOwnRules = (schema: JsonSchema): boolean => (schema['x-kubernetes-validations'] ?? []).length > 0
const hasAnyRules = (schema: JsonSchema): boolean => hasOwnRules(schema) || (schema.allOf ?? []).some(hasRules)
const withRules = reachOf(hasAnyRules)

/** Whether there is any rule to check at all. */
export function hasRules(schema: JsonSchema): boolean {
  return withRules.reaches(schema)
}

/** One evaluation of all rules of one object. */
class RuleRun {
  readonly errors: FieldError[] = []
  readonly warnings: string[] = []
  readonly budget: RuleBudget = { remaining: objectBudget }

  get isOver(): boolean {
    return this.budget.remaining < 0
  }
}

/**
 * A value, the stored value its transition rules compare it with, and the nearest pair of both that correspond: if that pair is equal, the
 * value was stored like this before.
 */
interface Compared {
  readonly value: Json
  readonly old: Json | undefined
  readonly basis: Pair | undefined
}

interface Pair {
  readonly value: Json
  readonly old: Json
}

function compared(value: Json, old: Json | undefined, parent: Compared | undefined): Compared {
  return { value, old, basis: old === undefined ? parent?.basis : { value, old } }
}

function isUnchanged({ basis }: Compared): boolean {
  return basis !== undefined && equalJson(basis.value, basis.old)
}

/**
 * The rules of a schema and below. `source` says where the rules are written and `structure` what the values look like; they differ inside
 * `allOf`, whose parts may carry rules but no types.
 */
class RuleNode {
  readonly #rules: CompiledRules | undefined
  readonly #isResourceRoot: boolean
  readonly #fields: readonly (readonly [name: string, node: () => RuleNode])[]
  readonly #additional: (() => RuleNode) | undefined
  readonly #items: (() => RuleNode) | undefined
  readonly #parts: readonly RuleNode[]
  readonly #correlate: Correlate
  readonly #structure: JsonSchema

  constructor(source: JsonSchema, structure: JsonSchema, isResourceRoot: boolean) {
    this.#structure = structure
    this.#isResourceRoot = isResourceRoot
    if (hasOwnRules(source)) this.#rules = compileRules(withRulesOf(structure, source), { isResourceRoot })
    this.#fields = Object.entries(source.properties ?? {}).flatMap(([name, property]) => {
      const described = isNamed(structure, name) ? structure.properties?.[name] : undefined
      return described !== undefined && hasRules(property) ? [[name, nodeLater(property, described)] as const] : []
    })
    this.#additional = partLater(additionalSchema(source), additionalSchema(structure))
    this.#items = partLater(source.items, structure.items)
    this.#parts = (source.allOf ?? []).filter(hasRules).map((part) => new RuleNode(part, structure, isResourceRoot))
    this.#correlate = correlation(structure)
  }

  evaluate(pair: Compared, path: string, run: RuleRun): void {
    // Rules judge values that are there; whether one may be null is a question for the rules around it.
    if (pair.value === null || run.isOver) return
    this.#evaluateOwn(pair, path, run)
    for (const part of this.#parts) part.evaluate(pair, path, run)
    if (isArray(pair.value)) this.#evaluateItems(pair.value, pair, path, run)
    else if (isObject(pair.value)) this.#evaluateFields(pair.value, pair, path, run)
  }

  #evaluateOwn(pair: Compared, path: string, run: RuleRun): void {
    if (this.#rules === undefined) return
    const self = this.#visible(pair.value)
    const oldSelf = pair.old === undefined || pair.old === null ? undefined : this.#visible(pair.old)
    for (const { error, isTransition } of this.#rules.evaluate(self, oldSelf, fieldPath.text(path), run.budget)) {
      if (!isTransition && isUnchanged(pair)) run.warnings.push(errorText(error))
      else run.errors.push(error)
    }
  }

  #evaluateItems(list: readonly Json[], pair: Compared, path: string, run: RuleRun): void {
    if (this.#items === undefined) return
    const node = this.#items()
    for (const [index, item] of list.entries()) {
      node.evaluate(compared(item, this.#correlate(item, pair.old), pair), fieldPath.index(path, index), run)
    }
  }

  #evaluateFields(object: JsonObject, pair: Compared, path: string, run: RuleRun): void {
    const old = isObject(pair.old) ? pair.old : {}
    const before = (key: string): Json | undefined => (Object.hasOwn(old, key) ? old[key] : undefined)
    for (const [name, node] of this.#fields) {
      if (!Object.hasOwn(object, name)) continue
      node().evaluate(compared(object[name] as Json, before(name), pair), fieldPath.child(path, name), run)
    }
    if (this.#additional === undefined) return
    for (const key in object) {
      if (isNamed(this.#structure, key)) continue
      this.#additional().evaluate(compared(object[key] as Json, before(key), pair), fieldPath.key(path, key), run)
    }
  }

  /** Of a resource's metadata, rules see only what it is called. */
  #visible(value: Json): Json {
    if (!this.#isResourceRoot || !isObject(value) || !isObject(value.metadata)) return value
    const { name, generateName } = value.metadata
    const metadata = { ...(name === undefined ? {} : { name }), ...(generateName === undefined ? {} : { generateName }) }
    return { ...value, metadata }
  }
}

function withRulesOf(structure: JsonSchema, source: JsonSchema): JsonSchema {
  if (structure === source) return structure
  const rules: readonly ValidationRule[] = source['x-kubernetes-validations'] ?? []
  return { ...structure, 'x-kubernetes-validations': rules }
}

function nodeLater(source: JsonSchema, structure: JsonSchema): () => RuleNode {
  return lazy(() => new RuleNode(source, structure, structure['x-kubernetes-embedded-resource'] === true))
}

function partLater(source: JsonSchema | undefined, structure: JsonSchema | undefined): (() => RuleNode) | undefined {
  if (source === undefined || structure === undefined || !hasRules(source)) return undefined
  return nodeLater(source, structure)
}

const rootNodeOf = memoised((schema: JsonSchema) => new RuleNode(schema, schema, true))
const valueNodeOf = memoised((schema: JsonSchema) => new RuleNode(schema, schema, schema['x-kubernetes-embedded-resource'] === true))

export interface RuleFindings {
  readonly errors: readonly FieldError[]
  /** Rules that the stored value breaks already, and that this change did not touch. */
  readonly warnings: readonly string[]
}

export function checkRules(schema: JsonSchema, object: JsonObject, old: JsonObject | undefined): RuleFindings {
  return run(rootNodeOf(schema), object, old, '')
}

/** Rules of a value that is no whole object, such as a default: it must be allowed both as a new value and as one that stays. */
export function checkValueRules(schema: JsonSchema, value: Json, field: string): readonly FieldError[] {
  const node = valueNodeOf(schema)
  const unchanged = new RuleRun()
  node.evaluate({ value, old: value, basis: undefined }, field, unchanged)
  return unchanged.errors.length > 0 ? unchanged.errors : run(node, value, undefined, field).errors
}

function run(node: RuleNode, value: Json, old: Json | undefined, field: string): RuleFindings {
  const findings = new RuleRun()
  node.evaluate(compared(value, old, undefined), field, findings)
  return findings
}
