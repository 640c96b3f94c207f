import { Type } from 'typebox'
import type { TBoolean, TInteger, TString, TUnsafe } from 'typebox'
import { keywords } from './options.ts'
import type { IntegerOptions, ScalarOptions, StringOptions } from './options.ts'

export function text(description: string, options: StringOptions = {}): TString {
  return Type.String({ description, ...keywords(options) })
}

/** A moment: RFC 3339 in UTC. */
export function time(description: string): TString {
  return Type.String({ description, format: 'date-time' })
}

/** A length of time in Go's notation (`1h30m`). */
export function duration(description: string): TString {
  return Type.String({ description })
}

export function int32(description: string, options: IntegerOptions = {}): TInteger {
  return Type.Integer({ description, format: 'int32', ...keywords(options) })
}

export function int64(description: string, options: IntegerOptions = {}): TInteger {
  return Type.Integer({ description, format: 'int64', ...keywords(options) })
}

/** An integer of no stated width: a few of upstream's fields have none. */
export function integer(description: string, options: IntegerOptions = {}): TInteger {
  return Type.Integer({ description, ...keywords(options) })
}

export function flag(description: string, options: ScalarOptions = {}): TBoolean {
  return Type.Boolean({ description, ...keywords(options) })
}

/** One of a few words. A CRD wants the type beside the words, and no union of literals. */
export function choice<const Words extends readonly string[]>(
  description: string,
  words: Words,
  options: StringOptions = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: 'string', description, enum: [...words], ...keywords(options) })
}

/**
 * One of a few words that upstream's writers keep to but its schema does not enforce. Ours does not either, so as not to refuse
 * what a real cluster would accept; the type says the words because code branches on them.
 */
export function knownWord<const Words extends readonly string[]>(description: string, words: Words): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: 'string', description: `${description} One of ${words.join(', ')}.` })
}

const integerOrText = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }

/** A count or a percentage (`2`, `25%`). */
export function countOrPercent(description: string): TUnsafe<number | string> {
  return Type.Unsafe<number | string>({ description, ...integerOrText })
}

const quantityPattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

/** An amount with a unit, as Kubernetes writes them (`8Gi`, `500m`). */
export function quantity(description: string, options: ScalarOptions = {}): TUnsafe<number | string> {
  return Type.Unsafe<number | string>({ description, pattern: quantityPattern, ...integerOrText, ...keywords(options) })
}

/** A number or a text without any further rule. */
export function numberOrText(description: string, options: ScalarOptions = {}): TUnsafe<number | string> {
  return Type.Unsafe<number | string>({ description, ...integerOrText, ...keywords(options) })
}
