import assert from 'node:assert/strict'
import { isArray, isObject, type Json, type JsonObject } from '../../json.ts'

/** One thing that is known about a part of an answer. */
export interface Part {
  readonly at: string
  readonly is?: Json
  readonly absent?: boolean
  readonly length?: number
}

/** What changes from run to run and is not compared. */
const systemFields = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields'])

/** Texts may hold placeholders (`{{any}}`) for what differs from run to run. */
export function assertMatches(actual: Json | undefined, expected: Json, at = ''): void {
  if (typeof expected === 'string' && expected.includes('{{')) {
    const text = typeof actual === 'string' ? actual : JSON.stringify(actual)
    const pattern = expected.split(/\{\{[^}]*\}\}/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    assert.match(text ?? '', new RegExp(`^${pattern.join('[^]*')}$`), at)
  } else if (isArray(expected)) {
    assert.ok(isArray(actual), `${at}: a list is missing`)
    assert.equal(actual.length, expected.length, `${at}: items`)
    for (const [index, item] of expected.entries()) assertMatches(actual[index], item, `${at}/${index}`)
  } else if (isObject(expected)) {
    assert.ok(isObject(actual), `${at}: an object is missing`)
    const ignored = at.endsWith('/metadata') ? systemFields : new Set<string>()
    const [given, wanted] = [actual, expected].map((object) =>
      Object.keys(object)
        .filter((key) => !ignored.has(key))
        .toSorted(),
    )
    assert.deepEqual(given, wanted, at)
    for (const key of wanted ?? []) assertMatches(actual[key], expected[key] ?? null, `${at}/${key}`)
  } else {
    assert.deepEqual(actual ?? null, expected, at)
  }
}

export function assertPart(body: JsonObject, { at, is, absent, length }: Part): void {
  const found = find(body, at.split('/').slice(1))
  if (absent === true) assert.equal(found, undefined, at)
  if (length !== undefined) assert.equal(isArray(found) ? found.length : undefined, length, at)
  if (is !== undefined) assertMatches(found, is, at)
}

function find(value: Json | undefined, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return value
  if (isArray(value)) return find(value[Number(step)], rest)
  return isObject(value) ? find(value[step.replaceAll('~1', '/')], rest) : undefined
}
