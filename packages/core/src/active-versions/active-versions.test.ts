import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { history } from '../testing/notation.ts'
import { activeUpdates, activeVersions } from './index.ts'

const active = (...updates: readonly string[]) => activeVersions(history(...updates))?.map(({ text }) => text)

describe('the active versions', () => {
  it('are the completed one when there is no update', () => assert.deepEqual(active('C 4.20.1', 'C 4.20.0'), ['4.20.1']))

  it('N08 are nothing older than the newest Completed', () => assert.deepEqual(active('C 4.20.5', 'P 4.18.0'), ['4.20.5']))

  it('are every Partial and the Completed one below', () => {
    assert.deepEqual(active('P 4.20.1', 'P 4.19.19', 'C 4.19.6', 'P 4.19.1'), ['4.20.1', '4.19.19', '4.19.6'])
  })

  it('are each named once', () => {
    assert.deepEqual(active('P 4.19.19', 'P 4.20.1', 'C 4.19.19'), ['4.19.19', '4.20.1'])
    assert.deepEqual(active('P 4.20.1/B', 'C 4.20.1/A'), ['4.20.1'])
  })

  it('are all there is while nothing has been completed', () => assert.deepEqual(active('P 4.20.1', 'P 4.20.0'), ['4.20.1', '4.20.0']))

  it('N09 are unknown without a history', () => {
    assert.equal(activeVersions(undefined), undefined)
    assert.equal(activeVersions([]), undefined)
  })

  it('are unknown when one cannot be read', () => {
    assert.equal(active('P 4.20.1', 'C 4.19'), undefined)
    assert.equal(activeVersions([{ state: 'Partial' }]), undefined)
    assert.deepEqual(active('C 4.20.1', 'C x'), ['4.20.1'])
  })

  it('come from the guest too when the history began in the middle of an update', () => {
    const guest = history('P 4.20.1', 'C 4.19.6', 'C 4.18.0')
    const texts = (...updates: readonly string[]) => activeVersions(history(...updates), guest)?.map(({ text }) => text)
    assert.deepEqual(texts('P 4.20.1'), ['4.20.1', '4.19.6'])
    assert.deepEqual(texts('C 4.20.1'), ['4.20.1'])
    assert.deepEqual(activeVersions(history('P 4.20.1'), history('P 4.20.1'))?.length, 1)
  })

  it('are the newest, every Partial before the first Completed, and nothing else', () => {
    const updates = fc.array(fc.tuple(fc.constantFrom('P', 'C'), fc.nat(9)).map(([state, patch]) => `${state} 4.20.${patch}`))
    fc.assert(
      fc.property(
        updates.map((texts) => history(...texts)),
        (entries) => {
          const result = activeUpdates(entries)
          assert.deepEqual(entries.slice(0, result.length), result)
          assert.ok(result.slice(0, -1).every(({ state }) => state === 'Partial'))
          if (result.length < entries.length) assert.equal(result.at(-1)?.state, 'Completed')
        },
      ),
    )
  })
})
