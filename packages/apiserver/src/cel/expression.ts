import type { Json } from '../json.ts'
import { compile } from './compile.ts'
import { convert, toPlain } from './convert.ts'
import { expressionLimit } from './rules.ts'
import { dyn } from './types.ts'

export interface Expression {
  /** The variables that the expression mentions. */
  readonly used: ReadonlySet<string>
  /**
   * The result as plain JavaScript: lists as arrays, maps as objects; integers are `bigint`. Variables without a value are null.
   *
   * @throws EvaluationError when it fails, CostExceededError when it takes too long
   */
  evaluate(values: Readonly<Record<string, Json | undefined>>): unknown
}

/**
 * An expression over variables whose types are known only when it runs: admission policies, match conditions.
 *
 * @throws CompileError whose message shows the place
 */
export function compileExpression(source: string, variables: readonly string[]): Expression {
  const program = compile(
    source,
    variables.map((name) => [name, dyn] as const),
  )
  return {
    used: program.used,
    evaluate: (values) => {
      const { result } = program.run(
        variables.map((name) => convert(values[name] ?? null, dyn)),
        expressionLimit,
      )
      if (result instanceof Error) throw result
      return toPlain(result)
    },
  }
}
