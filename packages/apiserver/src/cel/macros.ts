import type { ASTNode } from '@marcbachmann/cel-js'
import type { Checked } from './call.ts'
import { compare } from './compare.ts'
import { EvaluationError, noSuchOverload } from './errors.ts'
import type { Frame } from './frame.ts'
import { attempt, isBoolean } from './logic.ts'
import type { Scope } from './scope.ts'
import { bool, dyn, int, list, map, optional, type CelType } from './types.ts'
import { BuiltMap, ListValue, MapValue, OptionalValue, type Value } from './values.ts'

/** Compiles one node inside a scope; given by the compiler, which macros call back for their bodies. */
export type Compile = (node: ASTNode, scope: Scope) => Checked

type Macro = (call: MacroCall) => Checked

interface MacroCall {
  readonly receiver: Checked
  readonly args: readonly ASTNode[]
  readonly node: ASTNode
  readonly scope: Scope
  readonly compile: Compile
}

/** Macros by name and number of arguments; undefined when the call is an ordinary one. */
export function macroNamed(name: string, count: number): Macro | undefined {
  return macros[`${name}/${count}`]
}

const macros: Readonly<Record<string, Macro>> = {
  'all/2': (call) => quantifier(call, loop(call, 1), 'all'),
  'all/3': (call) => quantifier(call, loop(call, 2), 'all'),
  'exists/2': (call) => quantifier(call, loop(call, 1), 'exists'),
  'exists/3': (call) => quantifier(call, loop(call, 2), 'exists'),
  'exists_one/2': (call) => exactlyOne(call, loop(call, 1)),
  'existsOne/2': (call) => exactlyOne(call, loop(call, 1)),
  'exists_one/3': (call) => exactlyOne(call, loop(call, 2)),
  'existsOne/3': (call) => exactlyOne(call, loop(call, 2)),
  'filter/2': filter,
  'map/2': (call) => transform(loop(call, 1), undefined, call.args[1], call),
  'map/3': (call) => transform(loop(call, 1), call.args[1], call.args[2], call),
  'transformList/3': (call) => transform(loop(call, 2), undefined, call.args[2], call),
  'transformList/4': (call) => transform(loop(call, 2), call.args[2], call.args[3], call),
  'transformMap/3': (call) => transformMap(loop(call, 2), undefined, call.args[2], call),
  'transformMap/4': (call) => transformMap(loop(call, 2), call.args[2], call.args[3], call),
  'sortBy/2': sortBy,
  'optMap/2': (call) => onOptional(call, (value) => new OptionalValue(value), false),
  'optFlatMap/2': (call) => onOptional(call, (value) => value, true),
}

/** The variables of a macro and what they walk over. */
interface Loop {
  readonly scope: Scope
  /** Calls `step` with the first variable for each element, all variables set; stops when it answers true. */
  readonly each: (frame: Frame, step: (first: Value) => boolean) => void
  readonly keyType: CelType
  readonly elementType: CelType
}

/** With one variable it is the element of a list or the key of a map; with two, index or key, and element. */
function loop({ receiver, args, node, scope }: MacroCall, variables: 1 | 2): Loop {
  const { type } = receiver
  if (type.kind !== 'list' && type.kind !== 'map' && type.kind !== 'dyn' && type.kind !== 'free') {
    scope.fail(node.start, `expression of type '${type.name}' cannot be range of a comprehension (must be list, map, or dynamic)`)
  }
  const keyType = type.kind === 'list' ? int : (type.key ?? dyn)
  const elementType = type.element ?? dyn
  const one = type.kind === 'list' ? elementType : keyType
  const first = scope.with(identifier(args[0], scope), variables === 2 ? keyType : one, type.most)
  const second = variables === 2 ? first.scope.with(identifier(args[1], scope), elementType) : undefined
  return {
    scope: second?.scope ?? first.scope,
    keyType,
    elementType: variables === 1 ? one : elementType,
    each: (frame, step) => {
      const range = receiver.run(frame)
      if (range instanceof ListValue) {
        for (let index = 0; index < range.items.length; index++) {
          frame.spend(1)
          const item = range.items[index] ?? null
          if (second !== undefined) frame.values[second.slot] = item
          const key = second === undefined ? item : BigInt(index)
          frame.values[first.slot] = key
          if (step(key)) return
        }
      } else if (range instanceof MapValue) {
        for (const key of range.keys()) {
          frame.spend(1)
          frame.values[first.slot] = key
          if (second !== undefined) frame.values[second.slot] = range.get(key) ?? null
          if (step(key)) return
        }
      } else throw noSuchOverload()
    },
  }
}

function identifier(node: ASTNode | undefined, scope: Scope): string {
  if (node?.op === 'id') return node.args
  return scope.fail(node?.start ?? 0, 'argument must be a simple name')
}

function body(node: ASTNode | undefined, { scope, compile }: { scope: Scope; compile: Compile }): Checked {
  return node === undefined ? scope.fail(0, 'macro without body') : compile(node, scope)
}

function predicate(node: ASTNode | undefined, scope: Scope, { compile }: MacroCall): Checked {
  const checked = body(node, { scope, compile })
  if (!isBoolean(checked.type)) {
    scope.fail(node?.start ?? 0, `found no matching overload for '_?_:_' applied to '(${checked.type.name}, dyn, dyn)'`)
  }
  return checked
}

/** An element that decides wins over errors of others. */
function quantifier(call: MacroCall, over: Loop, name: 'all' | 'exists'): Checked {
  const test = predicate(call.args.at(-1), over.scope, call)
  const decisive = name === 'exists'
  return {
    type: bool,
    run: (frame) => {
      let failure: EvaluationError | undefined
      let isDecided = false
      over.each(frame, () => {
        const answer = attempt(test, frame)
        if (answer instanceof EvaluationError) failure ??= answer
        else isDecided = answer === decisive
        return isDecided
      })
      if (isDecided) return decisive
      if (failure !== undefined) throw failure
      return !decisive
    },
  }
}

function exactlyOne(call: MacroCall, over: Loop): Checked {
  const test = predicate(call.args.at(-1), over.scope, call)
  return {
    type: bool,
    run: (frame) => {
      let count = 0
      over.each(frame, () => {
        if (holds(test, frame)) count++
        return false
      })
      return count === 1
    },
  }
}

function holds(test: Checked, frame: Frame): boolean {
  const answer = test.run(frame)
  if (typeof answer !== 'boolean') throw noSuchOverload()
  return answer
}

function filter(call: MacroCall): Checked {
  const over = loop(call, 1)
  const test = predicate(call.args[1], over.scope, call)
  return {
    type: list(over.elementType),
    run: (frame) => {
      const kept: Value[] = []
      over.each(frame, (element) => {
        if (holds(test, frame)) kept.push(element)
        return false
      })
      return new ListValue(kept)
    },
  }
}

function transform(over: Loop, condition: ASTNode | undefined, result: ASTNode | undefined, call: MacroCall): Checked {
  const test = condition === undefined ? undefined : predicate(condition, over.scope, call)
  const made = body(result, { scope: over.scope, compile: call.compile })
  return {
    type: list(made.type),
    run: (frame) => {
      const items: Value[] = []
      over.each(frame, () => {
        if (test === undefined || holds(test, frame)) items.push(made.run(frame))
        return false
      })
      return new ListValue(items)
    },
  }
}

function transformMap(over: Loop, condition: ASTNode | undefined, result: ASTNode | undefined, call: MacroCall): Checked {
  const test = condition === undefined ? undefined : predicate(condition, over.scope, call)
  const made = body(result, { scope: over.scope, compile: call.compile })
  return {
    type: map(over.keyType, made.type),
    run: (frame) => {
      const pairs: (readonly [Value, Value])[] = []
      over.each(frame, (key) => {
        if (test === undefined || holds(test, frame)) pairs.push([key, made.run(frame)])
        return false
      })
      return new BuiltMap(pairs)
    },
  }
}

function sortBy(call: MacroCall): Checked {
  const over = loop(call, 1)
  const made = body(call.args[1], { scope: over.scope, compile: call.compile })
  return {
    type: list(over.elementType),
    run: (frame) => {
      const keyed: { readonly item: Value; readonly by: Value }[] = []
      over.each(frame, (item) => {
        keyed.push({ item, by: made.run(frame) })
        return false
      })
      return new ListValue(keyed.toSorted((x, y) => compare(x.by, y.by)).map(({ item }) => item))
    },
  }
}

function onOptional(call: MacroCall, wrap: (value: Value) => Value, isFlat: boolean): Checked {
  const { receiver, args, scope, compile, node } = call
  if (receiver.type.kind !== 'optional' && receiver.type.kind !== 'dyn') {
    scope.fail(node.start, `found no matching overload for 'hasValue' applied to '${receiver.type.name}.()'`)
  }
  const inner = scope.with(identifier(args[0], scope), receiver.type.element ?? dyn)
  const made = body(args[1], { scope: inner.scope, compile })
  return {
    type: isFlat ? made.type : optional(made.type),
    run: (frame) => {
      const value = receiver.run(frame)
      if (!(value instanceof OptionalValue)) throw noSuchOverload()
      if (value.value === undefined) return OptionalValue.none
      frame.values[inner.slot] = value.value
      return wrap(made.run(frame))
    },
  }
}
