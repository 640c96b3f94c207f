import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type FieldError, invalid, required, tooLong } from '../../errors/field-error.ts'
import type { JsonObject, MutableObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { configKeyErrors, immutable } from '../checks.ts'
import { boolean, bytes, map, pointer, string } from '../dsl/index.ts'
import { defineKind } from '../kind.ts'
import { fill, metadataOf, objectIn, put, textIn } from '../tree.ts'
import { decodedLength, frozenErrors, mostDataBytes } from './config-map.ts'

export const secret = defineKind({
  group: '',
  kind: 'Secret',
  resource: 'secrets',
  fields: { data: map(bytes), type: string, stringData: map(string), immutable: pointer(boolean) },
  columns: [
    column('Type', 'What the Secret is for.', ({ type }) => textIn(type)),
    column('Data', 'How many keys the Secret holds.', ({ data }) => Object.keys(objectIn(data)).length),
    ageColumn,
  ],
  defaults: (object) => fill(withStringData(object), { type: 'Opaque' }),
  behaviour: {
    validate: (object, old) => [
      ...(old === undefined ? [] : [...immutable(object.type, old.type, 'type'), ...frozenErrors(object, old, ['data'])]),
      ...contentErrors(object),
    ],
    warnings: tlsWarnings,
    fieldLabelNames: ['type'],
    fieldLabels: ({ type }) => ({ type: textIn(type) }),
  },
})

/** `stringData` is a convenience of writers: it is folded into `data` and never stored. */
function withStringData(object: JsonObject): JsonObject {
  if (object.stringData === undefined) return object
  const data: MutableObject = { ...objectIn(object.data) }
  for (const [key, value] of Object.entries(objectIn(object.stringData))) data[key] = Buffer.from(textIn(value), 'utf8').toString('base64')
  return put(put(object, 'data', data), 'stringData', undefined)
}

function contentErrors(object: JsonObject): readonly FieldError[] {
  const data = objectIn(object.data)
  const errors: FieldError[] = []
  let size = 0
  for (const key in data) {
    errors.push(...configKeyErrors(key, 'data'))
    size += decodedLength(textIn(data[key]))
  }
  if (size > mostDataBytes) errors.push(tooLong('data', mostDataBytes))
  return [...errors, ...(typeChecks[textIn(object.type)]?.(data, object) ?? [])]
}

type TypeCheck = (data: JsonObject, object: JsonObject) => readonly FieldError[]

const needs = (data: JsonObject, ...keys: readonly string[]): readonly FieldError[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`))

/** Some types promise their readers certain keys. */
const typeChecks: Readonly<Record<string, TypeCheck>> = {
  'kubernetes.io/service-account-token': (_, object) => {
    const name = 'kubernetes.io/service-account.name'
    return textIn(objectIn(metadataOf(object).annotations)[name]) === '' ? [required(`metadata.annotations[${name}]`)] : []
  },
  'kubernetes.io/dockercfg': (data) => dockerConfigErrors(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => dockerConfigErrors(data, '.dockerconfigjson'),
  'kubernetes.io/basic-auth': (data) => (needs(data, 'username', 'password').length < 2 ? [] : needs(data, 'username', 'password')),
  'kubernetes.io/ssh-auth': (data) => (textIn(data['ssh-privatekey']) === '' ? [required('data[ssh-privatekey]')] : []),
  'kubernetes.io/tls': (data) => needs(data, 'tls.crt', 'tls.key'),
}

function dockerConfigErrors(data: JsonObject, key: string): readonly FieldError[] {
  if (!Object.hasOwn(data, key)) return needs(data, key)
  try {
    const config: unknown = JSON.parse(plain(data[key]))
    if (typeof config === 'object' && !Array.isArray(config)) return []
  } catch {
    // Not JSON at all: the same complaint.
  }
  return [invalid(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object')]
}

const plain = (value: JsonObject[string] | undefined): string => Buffer.from(textIn(value), 'base64').toString('utf8')

/** A pair that no TLS server could use is stored nevertheless, with a word about it. */
function tlsWarnings(object: JsonObject): readonly string[] {
  if (object.type !== 'kubernetes.io/tls') return []
  const data = objectIn(object.data)
  const [certificate, key] = [plain(data['tls.crt']), plain(data['tls.key'])]
  if (!certificate.includes('-----BEGIN')) return ['tls: failed to find any PEM data in certificate input']
  if (!key.includes('-----BEGIN')) return ['tls: failed to find any PEM data in key input']
  try {
    const matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
    return matches ? [] : ['tls: private key does not match public key']
  } catch {
    return ['tls: failed to parse certificate or private key']
  }
}
