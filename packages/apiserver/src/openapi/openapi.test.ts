import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Discovery } from '../discovery/discovery.ts'
import { aBuiltInType, aCustomType, aVersion } from '../discovery/sample-types.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { OpenApi } from './openapi.ts'
import type { OpenApiDocument } from './v3.ts'

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const widgetSchema: JsonSchema = {
  type: 'object',
  description: 'A thing.',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', minimum: 0, description: 'Wanted copies.' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        maybe: { type: 'string', nullable: true },
        arch: { type: 'string', enum: ['amd64', 'arm64'], default: 'amd64' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      },
    },
  },
}

/** A schema that contains itself, as the schema of schemas does. */
const recursive: { type: string; properties: Record<string, JsonSchema> } = { type: 'object', properties: { title: { type: 'string' } } }
recursive.properties.items = recursive

const widgets = aCustomType({ versions: [aVersion({ schema: widgetSchema, hasStatus: true, scale })] })
const configMaps = aBuiltInType({
  versions: [aVersion({ schema: { type: 'object', properties: { data: { type: 'object', additionalProperties: { type: 'string' } } } } })],
})
const definitions = aBuiltInType({
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  listKind: 'CustomResourceDefinitionList',
  namespaced: false,
  versions: [aVersion({ schema: { type: 'object', properties: { schema: recursive } } })],
})
const serviceAccounts = aBuiltInType({
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  listKind: 'ServiceAccountList',
  extraSubresources: [{ name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] }],
})
const review = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
  schema: { type: 'object' },
}

const kinds = { types: [widgets, configMaps, definitions, serviceAccounts], reviews: [review] }
const openApi = new OpenApi(new Discovery(kinds))

function document(path: string): OpenApiDocument {
  const answer = openApi.groupVersion(path, undefined)
  assert.ok(answer.type === 'document')
  return answer.document
}

function read({ bytes }: OpenApiDocument): JsonObject {
  return JSON.parse(bytes.toString())
}

/** The value at a path of keys; names of list entries count as keys. */
function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((here, key) => {
    if (Array.isArray(here)) return here.find((each) => each.name === key)
    return isObject(here) ? here[key] : undefined
  }, value)
}

function keysAt(value: Json | undefined, ...keys: readonly string[]): readonly string[] {
  return Object.keys(at(value, ...keys) ?? {}).toSorted()
}

function urlIn(entry: Json | undefined): string {
  const url = at(entry, 'serverRelativeURL')
  return typeof url === 'string' ? url : ''
}

/** Every reference in a document, to check that each leads somewhere. */
function references(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = isObject(value) && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(references)]
}

const widgetPath = '/apis/test.windlass.dev/v1/namespaces/{namespace}/widgets/{name}'

test('DI-021 /openapi/v3 lists documents with hashes', () => {
  const { paths } = read(openApi.index())
  assert.match(urlIn(at(paths, 'apis/test.windlass.dev/v1')), /^\/openapi\/v3\/apis\/test\.windlass\.dev\/v1\?hash=[0-9A-F]+$/)
  assert.match(urlIn(at(paths, 'api/v1')), /^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]+$/)
})

test('DI-022 the OpenAPI v3 document of a CRD group: operations', () => {
  const { openapi, paths, components } = read(document('apis/test.windlass.dev/v1'))
  assert.equal(openapi, '3.0.0')
  assert.deepEqual(keysAt(paths, widgetPath), ['delete', 'get', 'parameters', 'patch', 'put'])
  assert.deepEqual(keysAt(paths, `${widgetPath}/status`), ['get', 'parameters', 'patch', 'put'])
  assert.deepEqual(keysAt(paths, `${widgetPath}/scale`), ['get', 'parameters', 'patch', 'put'])
  const patch = at(paths, widgetPath, 'patch')
  assert.deepEqual(at(patch, 'x-kubernetes-group-version-kind'), { group: 'test.windlass.dev', version: 'v1', kind: 'Widget' })
  assert.equal(at(patch, 'x-kubernetes-action'), 'patch')
  assert.deepEqual(keysAt(patch, 'requestBody', 'content'), [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
  ])
  for (const [name, type] of Object.entries({ dryRun: 'string', fieldManager: 'string', fieldValidation: 'string', force: 'boolean' })) {
    assert.equal(at(patch, 'parameters', name, 'in'), 'query')
    assert.equal(at(patch, 'parameters', name, 'schema', 'type'), type)
  }
  assert.deepEqual(at(patch, 'responses', '200', 'content', 'application/json', 'schema'), {
    $ref: '#/components/schemas/dev.windlass.test.v1.Widget',
  })
  const schema = at(components, 'schemas', 'dev.windlass.test.v1.Widget')
  assert.deepEqual(at(schema, 'x-kubernetes-group-version-kind'), [{ group: 'test.windlass.dev', version: 'v1', kind: 'Widget' }])
  assert.deepEqual(at(schema, 'properties', 'spec'), widgetSchema.properties?.spec)
  assert.deepEqual(at(schema, 'properties', 'metadata', 'allOf'), [
    { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  ])
})

test('DI-024 the OpenAPI v3 document of the core group', () => {
  const { paths, components } = read(document('api/v1'))
  const configMap = at(components, 'schemas', 'io.k8s.api.core.v1.ConfigMap')
  assert.deepEqual(at(configMap, 'x-kubernetes-group-version-kind'), [{ group: '', kind: 'ConfigMap', version: 'v1' }])
  assert.equal(at(configMap, 'properties', 'data', 'type'), 'object')
  const patch = at(paths, '/api/v1/namespaces/{namespace}/configmaps/{name}', 'patch')
  assert.deepEqual(at(patch, 'x-kubernetes-group-version-kind'), { group: '', version: 'v1', kind: 'ConfigMap' })
  assert.ok(keysAt(patch, 'requestBody', 'content').includes('application/strategic-merge-patch+json'))
  assert.deepEqual(keysAt(paths, '/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token'), ['parameters', 'post'])
})

test('every reference leads to a component, and every kind has one', () => {
  for (const path of ['api/v1', 'apis/test.windlass.dev/v1', 'apis/apiextensions.k8s.io/v1', 'apis/authorization.k8s.io/v1']) {
    const whole = read(document(path))
    for (const each of references(whole)) assert.ok(at(whole, ...each.slice(2).split('/')) !== undefined, each)
  }
  const { definitions: all, ...rest } = read(openApi.v2(undefined))
  for (const each of [...references(all ?? null), ...references(rest)])
    assert.ok(at(all, each.replace('#/definitions/', '')) !== undefined, each)
})

test('a schema that contains itself becomes a component that refers to itself', () => {
  const { components } = read(document('apis/apiextensions.k8s.io/v1'))
  const owner = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition'
  const $ref = `#/components/schemas/${owner}.schema.items`
  assert.deepEqual(at(components, 'schemas', owner, 'properties', 'schema'), { $ref })
  assert.deepEqual(at(components, 'schemas', `${owner}.schema.items`, 'properties'), { title: { type: 'string' }, items: { $ref } })
})

test('DI-025 DI-026 hashes: the present one may be kept, another one has moved', () => {
  const { hash, etag } = document('apis/test.windlass.dev/v1')
  assert.equal(etag, `"${hash}"`)
  const current = openApi.groupVersion('apis/test.windlass.dev/v1', hash)
  assert.ok(current.type === 'document' && current.isImmutable)
  assert.deepEqual(openApi.groupVersion('apis/test.windlass.dev/v1', '0123456789ABCDEF'), {
    type: 'moved',
    location: `/openapi/v3/apis/test.windlass.dev/v1?hash=${hash}`,
  })
  for (const path of ['apis/nope.example/v1', 'apis/test.windlass.dev', 'api', '', 'api/v1/x']) {
    assert.deepEqual(openApi.groupVersion(path, undefined), { type: 'missing' }, path)
  }
})

test('clusters with the same kinds share documents; another kind changes only those of its group version', () => {
  const other = new OpenApi(new Discovery({ ...kinds, types: [...kinds.types, aCustomType({ resource: 'others', kind: 'Other' })] }), 'a')
  const answers = ['api/v1', 'apis/test.windlass.dev/v1'].map((path) => other.groupVersion(path, undefined))
  assert.ok(answers[0]?.type === 'document' && answers[0].document === document('api/v1'))
  assert.ok(answers[1]?.type === 'document' && answers[1].document.hash !== document('apis/test.windlass.dev/v1').hash)
  assert.match(urlIn(at(read(other.index()), 'paths', 'api/v1')), /^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]+\.a$/)
})

test('D7 v2 says less: what it has no words for is left open', () => {
  const { swagger, info, definitions: all, paths } = read(openApi.v2('application/json'))
  assert.equal(swagger, '2.0')
  assert.equal(at(info, 'title'), 'Kubernetes')
  assert.deepEqual(at(all, 'dev.windlass.test.v1.Widget', 'properties', 'spec', 'properties'), {
    replicas: { type: 'integer', minimum: 0, description: 'Wanted copies.' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
    maybe: {},
    arch: { type: 'string', enum: ['amd64', 'arm64'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  })
  const patch = at(paths, widgetPath, 'patch')
  assert.equal(at(patch, 'parameters', 'dryRun', 'type'), 'string')
  assert.equal(at(patch, 'parameters', 'body', 'in'), 'body')
})

/** The fields of a protobuf message: numbers and their values, bytes as Buffers. */
function fieldsOf(bytes: Buffer): readonly (readonly [number, Buffer | number])[] {
  const fields: [number, Buffer | number][] = []
  let position = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[position++] ?? 0
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  while (position < bytes.length) {
    const tag = varint()
    if ((tag & 7) === 0) fields.push([tag >> 3, varint()])
    else {
      const length = (tag & 7) === 1 ? 8 : varint()
      fields.push([tag >> 3, bytes.subarray(position, position + length)])
      position += length
    }
  }
  return fields
}

/** Follows message fields by number; a text picks the entry of a map by its name. */
function dig(bytes: Buffer, ...way: readonly (number | string)[]): Buffer | undefined {
  const [step, ...rest] = way
  if (step === undefined) return bytes
  for (const [field, value] of fieldsOf(bytes)) {
    if (!Buffer.isBuffer(value)) continue
    if (typeof step === 'number' && field === step) {
      const found = dig(value, ...rest)
      if (found !== undefined) return found
    }
    if (typeof step === 'string' && field === 1 && value.toString() === step) return dig(bytes, ...rest)
  }
  return undefined
}

test('DI-027 D7 v2 in protobuf, as kubectl asks for it', () => {
  const { contentType, bytes } = openApi.v2('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')
  assert.equal(contentType, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
  assert.equal(dig(bytes, 1)?.toString(), '2.0')
  assert.equal(dig(bytes, 2, 1)?.toString(), 'Kubernetes')
  const widget = dig(bytes, 9, 1, 'dev.windlass.test.v1.Widget', 2)
  assert.ok(widget)
  assert.equal(dig(widget, 22, 1)?.toString(), 'object')
  assert.equal(dig(widget, 25, 1, 'spec', 2, 25, 1, 'replicas', 2, 4)?.toString(), 'Wanted copies.')
  assert.equal(dig(widget, 25, 1, 'metadata', 2, 1)?.toString(), '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
  assert.deepEqual(JSON.parse(dig(widget, 31, 'x-kubernetes-group-version-kind', 2, 2)?.toString() ?? ''), [
    { group: 'test.windlass.dev', kind: 'Widget', version: 'v1' },
  ])
  const patch = dig(bytes, 8, 2, widgetPath, 2, 8)
  assert.ok(patch)
  const parameters = fieldsOf(patch).filter(([field]) => field === 8)
  const names = parameters.flatMap(([, value]) => (Buffer.isBuffer(value) ? (dig(value, 1, 2, 3, 4)?.toString() ?? []) : []))
  assert.deepEqual(names, ['pretty', 'dryRun', 'fieldManager', 'fieldValidation', 'force'])
})
