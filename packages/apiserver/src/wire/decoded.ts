import type { Json } from '../json.ts'

/** What a body says, and which of its keys were written more than once (the last one counts). */
export interface Decoded<Value extends Json = Json> {
  readonly value: Value
  /** Paths of repeated keys, in the order of the document: `spec.replicas`. Empty unless asked for. */
  readonly duplicates: readonly string[]
  /** The same as sentences, one Warning header each: `duplicate field "spec.replicas"`. */
  readonly complaints: readonly string[]
  readonly format: 'json' | 'yaml'
}

export interface DecodeOptions {
  /** Costs a second pass over the text; wanted unless `fieldValidation=Ignore`. */
  readonly findDuplicates?: boolean
}

/** How many problems of one body are reported. */
const mostComplaints = 100

/**
 * The text of a refusal under `fieldValidation=Strict`, or undefined when there is nothing to refuse. Duplicates of a YAML body are
 * one problem with several lines, as Go's YAML reader reports them.
 */
export function strictDecodingError(decoded: Pick<Decoded, 'complaints' | 'format'>, unknownFields: readonly string[]): string | undefined {
  const unknown = unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`)
  const duplicate = [...new Set(decoded.complaints)]
  const isYaml = decoded.format === 'yaml' && duplicate.length > 0
  const parts = [...(isYaml ? [`yaml: unmarshal errors:\n${duplicate.map((line) => `  ${line}`).join('\n')}`] : duplicate), ...unknown]
  return parts.length === 0 ? undefined : `strict decoding error: ${parts.slice(0, mostComplaints).join(', ')}`
}

/** The same problems under `fieldValidation=Warn`: one warning each. */
export function decodingWarnings(decoded: Pick<Decoded, 'complaints'>, unknownFields: readonly string[]): readonly string[] {
  return [...new Set(decoded.complaints), ...unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`)].slice(0, mostComplaints)
}
