import { noSuchOverload } from './errors.ts'
import { costOf, type CallCost } from './cost.ts'
import type { Code } from './frame.ts'
import { functionsNamed, methodsNamed } from './library/index.ts'
import type { Overload } from './overload.ts'
import type { Scope } from './scope.ts'
import { accepts, dyn, substitute, type Bindings, type CelType } from './types.ts'
import type { Value } from './values.ts'

/** A checked expression: what it is and how to get it. */
export interface Checked {
  readonly type: CelType
  readonly run: Code
  /** Set when it is the same every time. */
  readonly value?: Value
}

export interface Call {
  readonly name: string
  readonly isMethod: boolean
  /** The receiver of a method comes first. */
  readonly args: readonly Checked[]
  readonly position: number
}

/** Finds the overloads that the types allow. Several remain where a type is known only at run time. */
export function checkCall(call: Call, scope: Scope): Checked {
  const overloads = call.isMethod ? methodsNamed(call.name) : functionsNamed(call.name)
  if (overloads.length === 0) scope.fail(call.position, `undeclared reference to '${call.name}' (in container '')`)
  const types = call.args.map((each) => each.type)
  const matching: { readonly overload: Overload; readonly result: CelType }[] = []
  for (const overload of overloads) {
    const bindings: Bindings = new Map()
    if (overload.params.length !== types.length) continue
    if (!overload.params.every((wanted, index) => accepts(wanted, types[index] ?? dyn, bindings))) continue
    matching.push({ overload, result: substitute(overload.result, bindings) })
  }
  const first = matching[0]
  if (first === undefined) scope.fail(call.position, `found no matching overload for '${call.name}' applied to '${signature(call, types)}'`)
  const isClear = matching.every(({ result }) => result.name === first.result.name)
  const code = matching.map(({ overload }) => overload)
  return { type: isClear ? first.result : dyn, run: dispatch(call.name, code, call.args) }
}

function signature({ isMethod }: Call, types: readonly CelType[]): string {
  const names = types.map((each) => each.name)
  return isMethod ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`
}

function dispatch(name: string, overloads: readonly Overload[], args: readonly Checked[]): Code {
  const [only] = overloads
  const [first, second] = args
  const cost = costOf(name)
  if (overloads.length === 1 && only !== undefined && args.length === 1 && first !== undefined) return unary(only, first.run, cost)
  if (overloads.length === 1 && only !== undefined && args.length === 2 && first !== undefined && second !== undefined) {
    return binary(only, first.run, second.run, cost)
  }
  return (frame) => {
    const values = args.map((each) => each.run(frame))
    frame.spend(1 + cost(values[0], values[1]))
    const overload = overloads.find((each) => values.every((value, index) => each.fits[index]?.(value)))
    if (overload === undefined) throw noSuchOverload()
    return overload.run(...values)
  }
}

function unary({ fits, run }: Overload, arg: Code, cost: CallCost): Code {
  const isFit = fits[0] ?? noFit
  return (frame) => {
    const value = arg(frame)
    frame.spend(1 + cost(value, undefined))
    if (!isFit(value)) throw noSuchOverload()
    return run(value)
  }
}

function binary({ fits, run }: Overload, left: Code, right: Code, cost: CallCost): Code {
  const [isLeftFit, isRightFit] = [fits[0] ?? noFit, fits[1] ?? noFit]
  return (frame) => {
    const [x, y] = [left(frame), right(frame)]
    frame.spend(1 + cost(x, y))
    if (!isLeftFit(x) || !isRightFit(y)) throw noSuchOverload()
    return run(x, y)
  }
}

const noFit = (): boolean => false
