import { CompileError } from './errors.ts'
import type { CelType } from './types.ts'

export interface Variable {
  readonly slot: number
  readonly type: CelType
}

/** What all scopes of one program share. */
export interface Program {
  readonly source: string
  /** The variables it was given take the first slots; those of macros follow. */
  readonly declared: number
  readonly used: Set<string>
  slots: number
  /** Steps in the worst case, as far as schemas bound it; never more than a real server would say. */
  estimate: number
}

/** The variables an expression may name: those of the program, then those of the macros around it. */
export class Scope {
  readonly program: Program
  /** How often an expression in this scope runs at most: the product of the loops around it. */
  readonly repeats: number
  readonly #variables: ReadonlyMap<string, Variable>

  constructor(program: Program, variables: ReadonlyMap<string, Variable>, repeats: number) {
    this.program = program
    this.#variables = variables
    this.repeats = repeats
  }

  static of(source: string, variables: readonly (readonly [string, CelType])[]): Scope {
    const named = variables.map(([name, type], slot) => [name, { slot, type }] as const)
    return new Scope({ source, declared: variables.length, used: new Set(), slots: variables.length, estimate: 0 }, new Map(named), 1)
  }

  find(name: string): Variable | undefined {
    const found = this.#variables.get(name)
    if (found !== undefined && found.slot < this.program.declared) this.program.used.add(name)
    return found
  }

  has(name: string): boolean {
    return this.#variables.has(name)
  }

  /** A scope inside a macro, with one variable more. */
  with(name: string, type: CelType, times = 1): { readonly scope: Scope; readonly slot: number } {
    const slot = this.program.slots++
    return { scope: new Scope(this.program, new Map(this.#variables).set(name, { slot, type }), this.repeats * times), slot }
  }

  fail(position: number, problem: string): never {
    throw new CompileError(this.program.source, position, problem)
  }
}
