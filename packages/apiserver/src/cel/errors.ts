/** Thrown while an expression runs: a missing key, a division by zero, a value of the wrong type. `&&` and `||` may absorb it. */
export class EvaluationError extends Error {
  override readonly name: string = 'EvaluationError'
}

/** Thrown when an expression did more work than it may. Nothing absorbs it. */
export class CostExceededError extends Error {
  override readonly name = 'CostExceededError'

  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** Thrown when an expression cannot be compiled. The message points at the place, as users know it from kubectl. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
  /** The problem without its place. */
  readonly problem: string

  constructor(source: string, position: number, problem: string) {
    super(pointAt(source, position, problem))
    this.problem = problem
  }
}

function pointAt(source: string, position: number, problem: string): string {
  const lineStart = source.lastIndexOf('\n', position - 1) + 1
  const lineEnd = source.indexOf('\n', lineStart)
  const line = source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd)
  const column = position - lineStart
  const row = source.slice(0, lineStart).split('\n').length
  return `ERROR: <input>:${row}:${column + 1}: ${problem}\n | ${line}\n | ${'.'.repeat(column)}^`
}

export const noSuchOverload = (): EvaluationError => new EvaluationError('no such overload')
export const noSuchKey = (key: unknown): EvaluationError => new EvaluationError(`no such key: ${String(key)}`)
