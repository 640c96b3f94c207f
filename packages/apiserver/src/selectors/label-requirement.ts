import { errorText, type FieldError, GoText, invalid } from '../errors/field-error.ts'
import { labelValueProblems, qualifiedNameProblems } from '../registry/names.ts'

export type LabelOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

/** One condition on one label. A selector is the conjunction of several. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

/** What is wrong with a label key, as a field error would tell it; undefined when nothing is. */
export function keyProblem(key: string, field: string): string | undefined {
  const problems = qualifiedNameProblems(key)
  return problems.length === 0 ? undefined : errorText(invalid(field, key, problems.join('; ')))
}

/** What is wrong with a requirement whose key is fine; undefined when nothing is. */
export function requirementProblem({ key, operator, values }: LabelRequirement): string | undefined {
  const errors: FieldError[] = []
  if ((operator === 'in' || operator === 'notin') && values.length === 0) {
    errors.push(invalid('values', [], "for 'in', 'notin' operators, values set can't be empty"))
  }
  if ((operator === 'exists' || operator === '!') && values.length > 0) {
    const list = new GoText(`[${values.map((value) => JSON.stringify(value)).join(',')}]`)
    errors.push(invalid('values', list, 'values set must be empty for exists and does not exist'))
  }
  values.forEach((value, index) => {
    if ((operator === '>' || operator === '<') && integer(value) === undefined) {
      errors.push(invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"))
    }
  })
  values.forEach((value, index) => {
    const problems = labelValueProblems(value)
    if (problems.length > 0) errors.push(invalid(`values[${index}][${key}]`, value, problems.join('; ')))
  })
  const texts = [...new Set(errors.map(errorText))]
  if (texts.length === 0) return undefined
  return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
}

/** A function that tells whether an object's labels satisfy the requirement; `value` is undefined without the label. */
export function requirementTest({ operator, values }: LabelRequirement): (value: string | undefined) => boolean {
  return tests[operator](values)
}

const isOneOf = (values: readonly string[]): ((value: string | undefined) => boolean) => {
  const wanted = new Set(values)
  return (value) => value !== undefined && wanted.has(value)
}

const isNoneOf = (values: readonly string[]): ((value: string | undefined) => boolean) => {
  const unwanted = isOneOf(values)
  return (value) => !unwanted(value)
}

const compares =
  (holds: (actual: bigint, bound: bigint) => boolean) =>
  (values: readonly string[]): ((value: string | undefined) => boolean) => {
    const bound = integer(values[0] ?? '')
    return (value) => {
      const actual = integer(value ?? '')
      return actual !== undefined && bound !== undefined && holds(actual, bound)
    }
  }

const tests: Readonly<Record<LabelOperator, (values: readonly string[]) => (value: string | undefined) => boolean>> = {
  '=': isOneOf,
  in: isOneOf,
  '!=': isNoneOf,
  notin: isNoneOf,
  exists: () => (value) => value !== undefined,
  '!': () => (value) => value === undefined,
  '>': compares((actual, bound) => actual > bound),
  '<': compares((actual, bound) => actual < bound),
}

/** A text as 64-bit integer, as Go reads it: no spaces, no fraction. */
function integer(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,19}$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}
