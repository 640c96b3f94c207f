import type { Json } from '../json.ts'

/** One CEL rule that the API server checks on every write. */
export interface Rule {
  readonly rule: string
  readonly message: string
}

/** What every schema may have besides its type. Our names on the left of `keywords`, the CRD's on its right. */
export interface ScalarOptions {
  readonly default?: Json
  readonly rules?: readonly Rule[]
}

export interface StringOptions extends ScalarOptions {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

export interface IntegerOptions extends ScalarOptions {
  readonly minimum?: number
  readonly maximum?: number
}

export interface ListOptions extends ScalarOptions {
  readonly minItems?: number
  readonly maxItems?: number
  /** The list is a map: these fields identify an item, and several writers may own different items. */
  readonly keys?: readonly string[]
  /** `set`: items are unique. `atomic`: one writer owns the whole list. */
  readonly as?: 'set' | 'atomic'
}

export interface ObjectOptions extends ScalarOptions {
  readonly minProperties?: number
  readonly maxProperties?: number
  /** One writer owns the whole object. */
  readonly isAtomic?: boolean
}

type Options = ScalarOptions & Partial<StringOptions & IntegerOptions & ListOptions & ObjectOptions>

/** Options in the words of the CRD's schema. */
export function keywords(options: Options): Record<string, unknown> {
  const { rules, keys, as, isAtomic, ...same } = options
  return {
    ...same,
    ...(rules === undefined ? {} : { 'x-kubernetes-validations': rules }),
    ...(keys === undefined ? {} : { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }),
    ...(as === undefined ? {} : { 'x-kubernetes-list-type': as }),
    ...(isAtomic === true ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  }
}

export function rule(expression: string, message: string): Rule {
  return { rule: expression, message }
}

/** The value can be set once and never changed. Says nothing about removing it: rules do not run on absent values. */
export function immutable(what: string): Rule {
  return rule('self == oldSelf', `${what} is immutable`)
}

/** As `immutable`, but an empty text may still be replaced. */
export function immutableOnceSet(what: string): Rule {
  return rule('oldSelf == "" || self == oldSelf', `${what} is immutable`)
}
