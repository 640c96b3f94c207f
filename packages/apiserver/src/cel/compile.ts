import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import { checkCall, type Checked } from './call.ts'
import { CompileError, CostExceededError, EvaluationError, noSuchOverload } from './errors.ts'
import { Frame, type Code } from './frame.ts'
import { checkLiteral, constant, largest, listLiteral, literal, mapLiteral } from './literal.ts'
import { checkLogic, checkTernary } from './logic.ts'
import { macroNamed } from './macros.ts'
import { Scope } from './scope.ts'
import { checkOptionalIndex, checkOptionalSelect, checkPresence, checkSelect } from './select.ts'
import * as types from './types.ts'
import { accepts, dyn, moreGeneral, optional, type CelType } from './types.ts'
import { functionsNamed } from './library/index.ts'
import { OptionalValue, TypeValue, type Value } from './values.ts'

/** The library reads expressions; what they mean is ours, because rules are typed by schemas and pay for what they do. */
const syntax = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true })

export interface Program {
  readonly type: CelType
  /** The variables that the expression mentions. */
  readonly used: ReadonlySet<string>
  /** Steps in the worst case that the schema allows. Stays below what a real server would estimate. */
  readonly estimate: number
  /**
   * Never throws for what an expression does wrong.
   *
   * @param values of the variables, in the order in which they were declared
   * @param limit how many steps it may take
   */
  run(values: readonly Value[], limit: number): Outcome
}

export interface Outcome {
  /** What came out, or why nothing did. */
  readonly result: Value | EvaluationError | CostExceededError
  readonly cost: number
}

/**
 * Checks an expression and turns it into closures.
 *
 * @throws CompileError for anything that is wrong before a value is seen
 */
export function compile(source: string, variables: readonly (readonly [string, CelType])[]): Program {
  const scope = Scope.of(source, variables)
  const { type, run } = withinReason(source, () => compileNode(parse(source), scope))
  return {
    type,
    used: scope.program.used,
    estimate: scope.program.estimate,
    run: (values, limit) => {
      const frame = new Frame([...values], limit)
      const result = outcome(run, frame)
      return { result, cost: Math.ceil(frame.spent) }
    },
  }
}

/** Expressions are walked recursively: one that is nested beyond reason is refused, not a fault of the server. */
function withinReason<T>(source: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw new CompileError(source, 0, 'expression is nested too deeply')
    throw error
  }
}

function outcome(run: Code, frame: Frame): Outcome['result'] {
  try {
    return run(frame)
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof CostExceededError) return error
    if (error instanceof RangeError) return new EvaluationError(error.message)
    throw error
  }
}

function parse(source: string): ASTNode {
  try {
    return syntax.parse(source).ast
  } catch (error) {
    if (error instanceof ParseError) throw new CompileError(source, error.range?.start ?? 0, `Syntax error: ${error.summary}`)
    throw error
  }
}

function compileNode(node: ASTNode, scope: Scope): Checked {
  scope.program.estimate += scope.repeats
  switch (node.op) {
    case 'value':
      return literal(node.args, node.start, scope)
    case 'id':
      return identifier(node.args, node.start, scope)
    case '.': {
      const named = typeNamed(node, scope)
      return named ?? checkSelect(compileNode(node.args[0], scope), node.args[1], node.pos - 1, scope)
    }
    case '.?':
      return checkOptionalSelect(compileNode(node.args[0], scope), node.args[1], node.pos - 2, scope)
    case '[]':
      return index(compileNode(node.args[0], scope), compileNode(node.args[1], scope), node.args[0].end, scope)
    case '[?]':
      return checkOptionalIndex(compileNode(node.args[0], scope), compileNode(node.args[1], scope))
    case 'call':
      return call(node, node.args[0], node.args[1], scope)
    case 'rcall':
      return methodCall(node, ...node.args, scope)
    case 'list':
      return listLiteral(
        node.args.map((each) => compileNode(each, scope)),
        node.args,
        scope,
      )
    case 'map':
      return mapLiteral(
        node.args.map((pair) => pair.map((each) => compileNode(each, scope))),
        node.args,
        scope,
      )
    case '?:': {
      const [condition, yes, no] = node.args
      const parts = [compileNode(condition, scope), compileNode(yes, scope), compileNode(no, scope)] as const
      return checkTernary(...parts, operatorAt('?', condition, scope), scope)
    }
    case '&&':
    case '||': {
      const [left, right] = node.args
      return checkLogic(node.op, compileNode(left, scope), compileNode(right, scope), operatorAt(node.op, left, scope), scope)
    }
    case '!_':
    case '-_':
      return unary(node.op, node.args, node.start, scope)
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case 'in': {
      const [left, right] = node.args
      const name = node.op === 'in' ? '@in' : `_${node.op}_`
      const args = [compileNode(left, scope), compileNode(right, scope)]
      return checkCall({ name, isMethod: false, args, position: operatorAt(node.op, left, scope) }, scope)
    }
    default:
      return scope.fail(0, 'unknown operator')
  }
}

function operatorAt(operator: string, left: ASTNode, scope: Scope): number {
  return Math.max(left.start, scope.program.source.indexOf(operator, left.end))
}

const typeNames: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'type',
  'null_type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'net.IP',
  'net.CIDR',
  'kubernetes.URL',
  'kubernetes.Quantity',
  'kubernetes.Semver',
])

function identifier(name: string, position: number, scope: Scope): Checked {
  const variable = scope.find(name)
  if (variable !== undefined) {
    const { slot, type } = variable
    return {
      type,
      run: (frame) => {
        frame.spent++
        return frame.value(slot)
      },
    }
  }
  if (typeNames.has(name)) return constant(types.type, new TypeValue(name))
  return scope.fail(position, `undeclared reference to '${name}' (in container '')`)
}

/** `google.protobuf.Timestamp` reads like a field but names a type. */
function typeNamed(node: ASTNode, scope: Scope): Checked | undefined {
  const name = qualifiedName(node, scope)
  return name !== undefined && typeNames.has(name) ? constant(types.type, new TypeValue(name)) : undefined
}

function qualifiedName(node: ASTNode, scope: Scope): string | undefined {
  if (node.op === 'id') return scope.has(node.args) ? undefined : node.args
  if (node.op !== '.') return undefined
  const before = qualifiedName(node.args[0], scope)
  return before === undefined ? undefined : `${before}.${node.args[1]}`
}

function index(operand: Checked, key: Checked, position: number, scope: Scope): Checked {
  if (operand.type.kind === 'optional') return checkOptionalIndex(operand, key)
  if (operand.type.kind === 'dyn' || operand.type.kind === 'free') {
    const checked = checkCall({ name: '_[_]', isMethod: false, args: [operand, key], position }, scope)
    return { type: dyn, run: checked.run }
  }
  return checkCall({ name: '_[_]', isMethod: false, args: [operand, key], position }, scope)
}

function unary(operator: '!_' | '-_', operand: ASTNode, position: number, scope: Scope): Checked {
  if (operator === '-_' && operand.op === 'value' && operand.args === largest + 1n) return constant(types.int, -largest - 1n)
  return checkCall({ name: operator, isMethod: false, args: [compileNode(operand, scope)], position }, scope)
}

function call(node: ASTNode, name: string, args: readonly ASTNode[], scope: Scope): Checked {
  if (name === 'has') return has(node, args, scope)
  checkLiteral(name, args[0], scope)
  return checkCall({ name, isMethod: false, args: args.map((each) => compileNode(each, scope)), position: node.start + name.length }, scope)
}

function has(node: ASTNode, [argument]: readonly ASTNode[], scope: Scope): Checked {
  if (argument === undefined || (argument.op !== '.' && argument.op !== '.?')) {
    return scope.fail(node.start + 3, 'invalid argument to has() macro')
  }
  const operand = compileNode(argument.args[0], scope)
  return { type: types.bool, run: checkPresence(operand, argument.args[1], argument.pos - 1, scope) }
}

function methodCall(node: ASTNode, name: string, receiver: ASTNode, args: readonly ASTNode[], scope: Scope): Checked {
  const position = Math.max(receiver.end, scope.program.source.indexOf('(', receiver.end))
  const namespace = qualifiedName(receiver, scope)
  if (namespace === 'cel' && name === 'bind' && args.length === 3) return bind(args, scope)
  const qualified = `${namespace}.${name}`
  if (namespace !== undefined && functionsNamed(qualified).length > 0) {
    return checkCall({ name: qualified, isMethod: false, args: args.map((each) => compileNode(each, scope)), position }, scope)
  }
  const on = compileNode(receiver, scope)
  const macro = macroNamed(name, args.length)
  if (macro !== undefined) return macro({ receiver: on, args, node, scope, compile: compileNode })
  if ((name === 'orValue' || name === 'or') && args[0] !== undefined && args.length === 1) {
    return otherwise(name, on, compileNode(args[0], scope), position, scope)
  }
  if (name === 'matches' || name === 'find' || name === 'findAll') checkLiteral('matches', args[0], scope)
  return checkCall({ name, isMethod: true, args: [on, ...args.map((each) => compileNode(each, scope))], position }, scope)
}

function bind(args: readonly ASTNode[], scope: Scope): Checked {
  const [name, value, expression] = args
  if (name?.op !== 'id' || value === undefined || expression === undefined)
    return scope.fail(name?.start ?? 0, 'cel.bind() variable must be a name')
  const bound = compileNode(value, scope)
  const inner = scope.with(name.args, bound.type)
  const result = compileNode(expression, inner.scope)
  return {
    type: result.type,
    run: (frame) => {
      frame.values[inner.slot] = bound.run(frame)
      return result.run(frame)
    },
  }
}

/** `optional.orValue(x)` and `optional.or(other)` look at their argument only when there is no value. */
function otherwise(name: 'or' | 'orValue', on: Checked, other: Checked, position: number, scope: Scope): Checked {
  const wanted = name === 'or' ? on.type : (on.type.element ?? dyn)
  const isOptional = on.type.kind === 'optional' || on.type.kind === 'dyn' || on.type.kind === 'free'
  if (!isOptional || !accepts(wanted, other.type, new Map())) {
    scope.fail(position, `found no matching overload for '${name}' applied to '${on.type.name}.(${other.type.name})'`)
  }
  const type = moreGeneral(wanted, other.type)
  const run: Code = (frame) => {
    const value = on.run(frame)
    frame.spent++
    if (!(value instanceof OptionalValue)) throw noSuchOverload()
    if (value.value === undefined) return other.run(frame)
    return name === 'or' ? value : value.value
  }
  return { type: name === 'or' && type.kind !== 'optional' ? optional(dyn) : type, run }
}
