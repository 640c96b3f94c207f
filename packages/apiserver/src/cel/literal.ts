import type { ASTNode } from '@marcbachmann/cel-js'
import type { Checked } from './call.ts'
import { noSuchOverload } from './errors.ts'
import { regularExpression } from './library/regex.ts'
import type { Scope } from './scope.ts'
import { parseDuration, parseTimestamp } from './time.ts'
import * as types from './types.ts'
import { accepts, moreGeneral, type CelType } from './types.ts'
import { BuiltMap, ListValue, Uint, mapKey, type Value } from './values.ts'

export function constant(type: CelType, value: Value): Checked {
  return { type, run: () => value, value }
}

/** Of an integer. */
export const largest = 2n ** 63n - 1n

export function literal(value: unknown, position: number, scope: Scope): Checked {
  if (typeof value === 'string') return constant(types.string, value)
  if (typeof value === 'boolean') return constant(types.bool, value)
  if (typeof value === 'number') return constant(types.double, value)
  if (typeof value === 'bigint') return value > largest ? scope.fail(position, 'invalid int literal') : constant(types.int, value)
  if (value === null) return constant(types.nullType, null)
  if (value instanceof Uint8Array) return constant(types.bytes, value)
  if (typeof value === 'object' && 'value' in value && typeof value.value === 'bigint') return constant(types.uint, new Uint(value.value))
  return scope.fail(position, 'unknown literal')
}

export function listLiteral(items: readonly Checked[], nodes: readonly ASTNode[], scope: Scope): Checked {
  const type = types.list(joined(items, nodes, scope))
  const known = items.flatMap(({ value }) => (value === undefined ? [] : [value]))
  if (known.length === items.length) return constant(type, new ListValue(known))
  return {
    type,
    run: (frame) => {
      frame.spend(10)
      return new ListValue(items.map((each) => each.run(frame)))
    },
  }
}

const column = <T>(rows: readonly (readonly T[])[], which: 0 | 1): readonly T[] => rows.flatMap((row) => row.slice(which, which + 1))

/** Pairs of key and value. */
export function mapLiteral(pairs: readonly (readonly Checked[])[], nodes: readonly (readonly ASTNode[])[], scope: Scope): Checked {
  const [keys, values] = [column(pairs, 0), column(pairs, 1)]
  const keyType = joined(keys, column(nodes, 0), scope)
  const valueType = joined(values, column(nodes, 1), scope)
  return {
    type: types.map(keyType, valueType),
    run: (frame) => {
      frame.spend(30)
      return new BuiltMap(
        keys.map((key, position) => {
          const name = key.run(frame)
          if (mapKey(name) === undefined) throw noSuchOverload()
          return [name, values[position]?.run(frame) ?? null] as const
        }),
      )
    },
  }
}

/** The one type of all elements of a literal. */
function joined(items: readonly Checked[], nodes: readonly ASTNode[], scope: Scope): CelType {
  let type: CelType = types.free
  for (const [position, item] of items.entries()) {
    if (!accepts(type, item.type, new Map())) {
      scope.fail(nodes[position]?.start ?? 0, `expected type '${type.name}' but found '${item.type.name}'`)
    }
    type = moreGeneral(type, item.type)
  }
  return type
}

/** Durations, times and patterns written out in an expression are checked once, when it is compiled. */
export function checkLiteral(name: string, argument: ASTNode | undefined, scope: Scope): void {
  if (argument?.op !== 'value' || typeof argument.args !== 'string') return
  const isFine = literalChecks.get(name)?.(argument.args) ?? true
  if (!isFine) scope.fail(argument.start, `invalid ${name} argument`)
}

const literalChecks = new Map<string, (text: string) => boolean>([
  ['duration', (text) => parseDuration(text) !== undefined],
  ['timestamp', (text) => parseTimestamp(text) !== undefined],
  [
    'matches',
    (text) => {
      try {
        regularExpression(text)
        return true
      } catch {
        return false
      }
    },
  ],
])
