import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ApiError, isExpired } from './errors.ts'
import { EventDecoder } from './event-decoder.ts'

const request = 'GET /api/v1/configmaps'
const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`
const aMap = (name: string, data: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 1 (5)' }

function decodeAll(chunks: readonly Buffer[]): { events: readonly unknown[]; error: Error | undefined } {
  const decoder = new EventDecoder(request)
  const events: unknown[] = []
  for (const chunk of chunks) {
    const decoded = decoder.decode(chunk)
    events.push(...decoded.events)
    if (decoded.error !== undefined) return { events, error: decoded.error }
  }
  return { events, error: undefined }
}

describe('the bytes of a watch', () => {
  it('N3 are the same events wherever they are cut, in the middle of a character too', () => {
    const anObject = fc.record({ name: fc.string({ unit: 'grapheme' }), data: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })) })
    fc.assert(
      fc.property(fc.array(anObject), fc.array(fc.nat(), { maxLength: 20 }), (objects, cuts) => {
        const expected = objects.map(({ name, data }) => ({ type: 'MODIFIED', object: aMap(name, data) }))
        const bytes = Buffer.from(expected.map(({ type, object }) => event(type, object)).join(''))
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        const { events, error } = decodeAll(chunks)
        assert.equal(error, undefined)
        assert.deepEqual(events, JSON.parse(JSON.stringify(expected)))
      }),
    )
  })

  it('N3 that came together are events in one array', () => {
    const decoder = new EventDecoder(request)
    const { events } = decoder.decode(Buffer.from(event('ADDED', aMap('a')) + event('DELETED', aMap('b')) + event('BOOKMARK', aMap('c'))))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'DELETED', 'BOOKMARK'],
    )
  })

  it('N3 are the same events when many come at once, of any length', () => {
    const lengths = [1, 70_000, 3, 65_400, 0, 200_000, ...Array.from({ length: 300 }, (_, index) => index * 7)]
    const expected = lengths.map((length, index) => ({ type: 'ADDED', object: aMap(`m${index}`, { text: 'ü'.repeat(length) }) }))
    const lines = expected.map(({ type, object }) => event(type, object))
    assert.deepEqual(decodeAll([Buffer.from(lines.join(''))]), { events: expected, error: undefined })
    assert.deepEqual(decodeAll([Buffer.from(`\n\n${lines.join('\n')}{"type`)]), { events: expected, error: undefined })
  })

  it('N3 without the end of their line are no event yet', () => {
    const line = event('ADDED', aMap('a'))
    const { events } = decodeAll([Buffer.from(line + line.slice(0, -1))])
    assert.equal(events.length, 1)
  })

  it('N3 may have empty lines between them', () => {
    assert.equal(decodeAll([Buffer.from(`\n${event('ADDED', aMap('a'))}\n`)]).events.length, 1)
  })

  it('N3 with an ERROR in them are the events before it and an ApiError', () => {
    const { events, error } = decodeAll([Buffer.from(event('ADDED', aMap('a')) + event('ERROR', expired) + event('ADDED', aMap('b')))])
    assert.equal(events.length, 1)
    assert.ok(error instanceof ApiError && isExpired(error))
    assert.deepEqual([error.message, error.request], ['too old resource version: 1 (5)', request])
  })

  for (const line of ['<html>', '[]', 'null', '{}', '{"type":"SURPRISE"}', '{"type":"ERROR","object":{"kind":"Cat"}}']) {
    it(`N3 that are no event break the watch off: ${line}`, () => {
      const { error } = decodeAll([Buffer.from(`${line}\n`)])
      assert.deepEqual([error?.name, error?.message.includes(`something that is no event: ${line}`)], ['ConnectionError', true])
    })
  }

  it('N3 that never end a line are given up', () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    const { error } = decodeAll(Array.from({ length: 65 }, () => megabyte))
    assert.match(error?.message ?? '', /a line without an end/)
  })
})
