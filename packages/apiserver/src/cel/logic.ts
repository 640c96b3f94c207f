import type { Checked } from './call.ts'
import { EvaluationError, noSuchOverload } from './errors.ts'
import type { Frame } from './frame.ts'
import type { Scope } from './scope.ts'
import { accepts, bool, moreGeneral, type CelType } from './types.ts'
import type { Value } from './values.ts'

export const isBoolean = (type: CelType): boolean => accepts(bool, type, new Map())

/** `&&` and `||`: one side that decides hides the other's error. */
export function checkLogic(operator: '&&' | '||', left: Checked, right: Checked, position: number, scope: Scope): Checked {
  if (!isBoolean(left.type) || !isBoolean(right.type)) {
    scope.fail(position, `found no matching overload for '_${operator}_' applied to '(${left.type.name}, ${right.type.name})'`)
  }
  const decisive = operator === '||'
  return {
    type: bool,
    run: (frame) => {
      const first = attempt(left, frame)
      if (first === decisive) return decisive
      const second = attempt(right, frame)
      if (second === decisive) return decisive
      if (first instanceof EvaluationError) throw first
      if (second instanceof EvaluationError) throw second
      return !decisive
    },
  }
}

/** A boolean, or the error that stands in for it. */
export function attempt(expression: Checked, frame: Frame): boolean | EvaluationError {
  try {
    const value = expression.run(frame)
    return typeof value === 'boolean' ? value : noSuchOverload()
  } catch (error) {
    if (error instanceof EvaluationError) return error
    throw error
  }
}

export function checkTernary(condition: Checked, yes: Checked, no: Checked, position: number, scope: Scope): Checked {
  if (!isBoolean(condition.type) || !accepts(yes.type, no.type, new Map())) {
    const types = [condition, yes, no].map((each) => each.type.name).join(', ')
    scope.fail(position, `found no matching overload for '_?_:_' applied to '(${types})'`)
  }
  return {
    type: moreGeneral(yes.type, no.type),
    run: (frame): Value => {
      const decision = condition.run(frame)
      if (typeof decision !== 'boolean') throw noSuchOverload()
      return decision ? yes.run(frame) : no.run(frame)
    },
  }
}
