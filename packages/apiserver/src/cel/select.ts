import type { Checked } from './call.ts'
import { EvaluationError, noSuchKey } from './errors.ts'
import { elementAt } from './library/operators.ts'
import type { Scope } from './scope.ts'
import { dyn, optional, type CelType } from './types.ts'
import { ListValue, MapValue, ObjectValue, OptionalValue, type Value } from './values.ts'

/** `operand.name`; on an optional the result is optional too. */
export function checkSelect(operand: Checked, name: string, position: number, scope: Scope): Checked {
  if (operand.type.kind === 'optional') return checkOptionalSelect(operand, name, position, scope)
  const type = fieldType(operand.type, name, position, scope)
  return {
    type,
    run: (frame) => {
      const value = operand.run(frame)
      frame.spent++
      const found = fieldOf(value, name)
      if (found === undefined) throw noSuchKey(name)
      return found
    },
  }
}

/** `operand.?name`. */
export function checkOptionalSelect(operand: Checked, name: string, position: number, scope: Scope): Checked {
  const type = fieldType(inner(operand.type), name, position, scope)
  return {
    type: optional(type),
    run: (frame) => {
      const value = unwrap(operand.run(frame))
      frame.spent++
      return value === undefined ? OptionalValue.none : new OptionalValue(fieldOf(value, name))
    },
  }
}

/** `operand[?key]`. */
export function checkOptionalIndex(operand: Checked, key: Checked): Checked {
  return {
    type: optional(inner(operand.type).element ?? dyn),
    run: (frame) => {
      const value = unwrap(operand.run(frame))
      const index = key.run(frame)
      frame.spend(1)
      if (value instanceof ListValue) return new OptionalValue(elementAt(value, index))
      return value instanceof MapValue ? new OptionalValue(value.get(index)) : OptionalValue.none
    },
  }
}

/** `has(operand.name)`. */
export function checkPresence(operand: Checked, name: string, position: number, scope: Scope): Checked['run'] {
  fieldType(inner(operand.type), name, position, scope)
  return (frame) => {
    const value = unwrap(operand.run(frame))
    frame.spent++
    if (value === undefined) return false
    if (value instanceof ObjectValue || value instanceof MapValue) return fieldOf(value, name) !== undefined
    throw value === null ? noSuchKey(name) : new EvaluationError('no such overload')
  }
}

const inner = (type: CelType): CelType => (type.kind === 'optional' ? (type.element ?? dyn) : type)

function unwrap(value: Value): Value | undefined {
  return value instanceof OptionalValue ? value.value : value
}

function fieldType(of: CelType, name: string, position: number, scope: Scope): CelType {
  if (of.kind === 'object') return of.shape?.field(name)?.type ?? scope.fail(position, `undefined field '${name}'`)
  if (of.kind === 'map') return of.element ?? dyn
  if (of.kind === 'dyn' || of.kind === 'free') return dyn
  return scope.fail(position, `type '${of.name}' does not support field selection`)
}

function fieldOf(value: Value, name: string): Value | undefined {
  if (value instanceof ObjectValue || value instanceof MapValue) return value.get(name)
  if (value instanceof OptionalValue) return value.value === undefined ? undefined : fieldOf(value.value, name)
  if (value === null) return undefined
  throw new EvaluationError('no such overload')
}
