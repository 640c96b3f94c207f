import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linkTo } from './cause.ts'

describe('a link of a chain', () => {
  const place = { kind: 'Machine', name: 'm', side: 'management' } as const
  const says = (text: string): string => linkTo(place, text).says

  it('says one line that a sentence can go on from', () => {
    assert.equal(says('it is not ready: the kubelet\n  is starting.'), 'it is not ready: the kubelet is starting')
    assert.equal(says('its provider does not have it any more: '), 'its provider does not have it any more')
  })

  it('has a reason and a time if they are known', () => {
    assert.deepEqual(linkTo(place, 'x', { reason: '', since: null }), { object: place, says: 'x' })
    assert.deepEqual(linkTo(place, 'x', { reason: 'R', since: '2026-03-06T12:00:00Z' }), {
      object: place,
      says: 'x',
      reason: 'R',
      since: '2026-03-06T12:00:00Z',
    })
  })
})
