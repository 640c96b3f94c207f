import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import builtin from './recorded/builtin.json' with { type: 'json' }
import { builtinKinds } from './recorded/builtin-kinds.ts'
import custom from './recorded/custom.json' with { type: 'json' }
import customSchemas from './recorded/schemas.json' with { type: 'json' }
import { RecordedServer, type RecordedKind, type RecordedStep } from './recorded/server.ts'

/**
 * Conversations with a real server, and what it said each object and its owners were afterwards. `owners` are managedFields entries:
 * `by` the manager, `in` the version, `at` the subresource; `timeless` ones have no time.
 */
interface Step extends RecordedStep {
  readonly object?: JsonObject
  readonly owners?: readonly JsonObject[]
  readonly parts?: readonly { readonly at: string; readonly is?: Json; readonly length?: number }[]
  readonly error?: { readonly code: number; readonly message: string; readonly fields?: readonly string[] }
}

interface Scenario {
  readonly id: string
  readonly title: string
  readonly of: { readonly apiVersion: string; readonly kind: string }
  readonly name: string
  readonly steps: readonly Step[]
}

const schemas = customSchemas as Record<string, Record<string, JsonSchema>>

function kindOf(name: string): RecordedKind {
  const known = builtinKinds[name]
  return known ?? { isCustom: true, hasStatus: name !== 'Loose', schemas: schemas[name] ?? {} }
}

const areas: Readonly<Record<string, unknown>> = { 'custom resources': custom, 'built-in kinds': builtin }

for (const [area, scenarios] of Object.entries(areas)) {
  describe(`recorded ownership of ${area}`, () => {
    for (const scenario of scenarios as readonly Scenario[]) it(`${scenario.id} ${scenario.title}`, () => replay(scenario))
  })
}

function replay({ of, name, steps }: Scenario): void {
  const server = new RecordedServer(kindOf(of.kind), of.apiVersion)
  for (const [index, step] of steps.entries()) {
    const where = `step ${index + 1}`
    const request = { ...step, ...(step.send === undefined ? {} : { send: completed(step, of, name) }) }
    if (step.error !== undefined) {
      expectError(server, request, step.error, where)
      continue
    }
    const answer = server.run(request)
    if (step.object !== undefined) assert.deepEqual(plain(answer, of, name), { metadata: {}, ...step.object }, where)
    if (step.owners !== undefined) assert.deepEqual(owners(server.object), step.owners, where)
    for (const part of step.parts ?? []) {
      const value = at(answer, part.at)
      if (part.length !== undefined) assert.equal(isArray(value) ? value.length : -1, part.length, `${where} ${part.at}`)
      else assert.deepEqual(value, part.is, `${where} ${part.at}`)
    }
  }
}

/** Bodies are written without what all of a scenario have in common. */
function completed({ do: verb, send, in: version }: Step, of: Scenario['of'], name: string): Json {
  if (send === undefined || !isObject(send) || verb === 'merge' || verb === 'json' || verb === 'strategic' || send.kind !== undefined)
    return send ?? null
  const metadata = isObject(send.metadata) ? send.metadata : {}
  const named = metadata.generateName === undefined ? { name, ...metadata } : metadata
  return { ...of, ...(version === undefined ? {} : { apiVersion: version }), ...send, metadata: named }
}

function expectError(server: RecordedServer, request: RecordedStep, expected: NonNullable<Step['error']>, where: string): void {
  const before = server.object
  if (expected.code === 422) {
    // Refused by the schema, because of a null that the apply left behind or brought along.
    const result = server.run(request)
    for (const [, path = ''] of expected.message.matchAll(/([\w.]+): Invalid value: "null"/g)) {
      assert.equal(at(result, `/${path.replaceAll('.', '/')}`), null, `${where} ${path}`)
    }
    server.object = before
    return
  }
  assert.throws(
    () => server.run(request),
    (error) => {
      assert.ok(error instanceof ApiError, `${where} ${String(error)}`)
      assert.equal(error.code, expected.code, where)
      assert.match(error.message, pattern(expected.message), where)
      if (expected.fields !== undefined)
        assert.deepEqual(
          error.status.details?.causes?.map(({ field }) => field),
          expected.fields,
          where,
        )
      return true
    },
  )
}

/** Recorded messages leave out what belongs to Go: `{{any}}`. */
function pattern(message: string): RegExp {
  return new RegExp(`^${message.split('{{any}}').map(literal).join('.*')}$`, 's')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** An object as the recordings write it, without what every one has. */
function plain(object: JsonObject, of: Scenario['of'], name: string): JsonObject {
  const { metadata, apiVersion, kind, ...rest } = object
  const { managedFields: _entries, uid: _uid, name: itsName, ...others } = isObject(metadata) ? metadata : {}
  const shown = itsName === undefined ? { ...others, name: `${name}{{rand:1}}` } : itsName === name ? others : { ...others, name: itsName }
  return {
    ...(apiVersion === of.apiVersion || apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === of.kind || kind === undefined ? {} : { kind }),
    metadata: shown,
    ...rest,
  }
}

/** Sorted without regard to time: recordings have no times to compare. */
function owners(object: JsonObject | undefined): readonly JsonObject[] {
  const entries = at(object ?? {}, '/metadata/managedFields')
  const found = (isArray(entries) ? entries : []).filter(isObject).map((entry) => ({
    by: entry.manager ?? '',
    op: entry.operation ?? '',
    in: entry.apiVersion ?? '',
    ...(entry.subresource === undefined ? {} : { at: entry.subresource }),
    ...(entry.time === undefined ? { timeless: true } : {}),
    owns: entry.fieldsV1 ?? {},
  }))
  const order = ({ op, by }: (typeof found)[number]): string => JSON.stringify([op, by])
  return found.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** `/a/0/b`, and `/list/[manager=x]/b` for the element with that member. */
function at(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value
  for (const segment of pointer.split('/').slice(1)) {
    const [, key = '', wanted] = /^\[(\w+)=(.*)\]$/.exec(segment) ?? []
    if (isArray(found)) found = key === '' ? found[Number(segment)] : found.find((item) => isObject(item) && item[key] === wanted)
    else found = isObject(found) ? found[segment] : undefined
  }
  return found
}
