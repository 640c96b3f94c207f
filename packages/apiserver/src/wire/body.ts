import { badRequest } from '../errors/api-error.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import { UnreadableBody } from './unreadable-body.ts'
import type { Decoded, DecodeOptions } from './decoded.ts'
import { decodeJson } from './json-decode.ts'
import { decodeYaml } from './yaml-decode.ts'

/**
 * Reads the object in the body of a create, update or delete. `null` counts as an object without fields: what is missing in it is
 * told later, by those who know what is needed.
 *
 * Errors: 400 `the object provided is unrecognized (must be of type ConfigMap): …`.
 */
export function decodeBody(body: Buffer, format: 'json' | 'yaml', kind: string, options: DecodeOptions = {}): Decoded<JsonObject> {
  try {
    const decoded = format === 'json' ? decodeJson(body, options) : decodeYaml(body, options)
    return { ...decoded, value: objectIn(decoded.value) }
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    const problem = error.problem.startsWith('yaml: ') ? error.problem : `couldn't get version/kind; json parse error: ${error.problem}`
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(body)})`)
  }
}

function objectIn(value: Json): JsonObject {
  if (value === null) return {}
  if (isObject(value)) return value
  const type = isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value === 'boolean' ? 'bool' : typeof value
  throw new UnreadableBody(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`)
}

/**
 * Reads the body of an apply patch, which is YAML, usually written as JSON. An empty one is an object without fields.
 *
 * Errors: 400 in the words of a real server; with `isStrict` (`fieldValidation=Strict`) also for keys written twice.
 */
export function decodeApplyBody(body: Buffer, options: DecodeOptions & { readonly isStrict?: boolean } = {}): Decoded<JsonObject> {
  const decoded = decodeYamlFor('error decoding YAML: error converting YAML to JSON', body, options)
  if (options.isStrict === true && decoded.complaints.length > 0) {
    const lines = decoded.complaints.map((line) => `\n  ${line}`).join('')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`)
  }
  try {
    return { ...decoded, value: objectIn(decoded.value) }
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${error.problem}`)
  }
}

function decodeYamlFor(purpose: string, body: Buffer, options: DecodeOptions & { readonly isStrict?: boolean }): Decoded {
  try {
    return decodeYaml(body, { findDuplicates: options.findDuplicates === true || options.isStrict === true })
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    throw badRequest(`${purpose}: ${error.problem}`)
  }
}

const summaryLength = 30

/** The beginning of a body, for people who look for what they sent. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>'
  if (body[0] === 0x7b) {
    return body.length > summaryLength ? `${body.subarray(0, summaryLength - 3).toString('utf8')}...` : body.toString('utf8')
  }
  return body.length > summaryLength ? `${body.subarray(0, summaryLength - 3).toString('hex')}...` : body.toString('hex')
}
