import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { components, history, moment, release, update } from '../testing/notation.ts'
import { type ControlPlaneVersion, nextControlPlaneVersion, transitionsBetween } from './index.ts'

const status = (...updates: readonly string[]): ControlPlaneVersion => ({ desired: release('4.20.1'), history: history(...updates) })
const names = (before: ControlPlaneVersion | undefined, after: ControlPlaneVersion | undefined): readonly string[] =>
  transitionsBetween(before, after).map(({ type }) => type)

describe('between two looks', () => {
  it('nothing happens when nothing changes', () => {
    const current = status('P 4.20.1')
    assert.deepEqual(names(current, current), [])
    assert.deepEqual(names(current, { ...current, observedGeneration: 2 }), [])
    assert.deepEqual(names(current, status('P 4.20.1')), [])
    assert.deepEqual(names(undefined, undefined), [])
    assert.deepEqual(names(current, undefined), [])
  })

  it('an update is completed, and took so long', () => {
    assert.deepEqual(transitionsBetween(status('P 4.20.1 11:50'), status('C 4.20.1 11:50-12:00')), [
      { type: 'Completed', update: update('C 4.20.1 11:50-12:00'), isFirst: false, seconds: 600 },
    ])
  })

  it('the first update starts', () => {
    assert.deepEqual(transitionsBetween(undefined, status('P 4.20.1')), [{ type: 'Started', update: update('P 4.20.1'), isFirst: true }])
  })

  it('the first update is complete already, and nobody knows how long it took', () => {
    const first = update('C 4.20.1 12:00-12:00')
    assert.deepEqual(transitionsBetween(undefined, status('C 4.20.1 12:00-12:00')), [
      { type: 'Started', update: first, isFirst: true },
      { type: 'Completed', update: first, isFirst: true, seconds: 0 },
    ])
  })

  it('another update follows a Completed one', () => {
    assert.deepEqual(names(status('C 4.20.0 11:00-11:30'), status('P 4.20.1 12:00', 'C 4.20.0 11:00-12:00')), ['Started'])
  })

  it('another update supersedes a Partial one', () => {
    const before = status('P 4.20.0 11:50')
    const after = status('P 4.20.1 12:00', 'P 4.20.0 11:50-12:00')
    assert.deepEqual(transitionsBetween(before, after), [
      { type: 'Superseded', update: update('P 4.20.0 11:50'), by: update('P 4.20.1 12:00') },
      { type: 'Started', update: update('P 4.20.1 12:00'), isFirst: false },
    ])
  })

  it('a version is filled in, which is no update', () => {
    const nameless = { ...status('P 4.20.1'), history: [{ ...update('P 4.20.1'), version: '' }] }
    assert.deepEqual(names(nameless, status('P 4.20.1')), [])
  })

  it('N19 an update is completed once, however often we look', () => {
    const seen = { desired: release('4.20.1'), generation: 1, components: components('kube-apiserver@4.20.1+') }
    const first = status('P 4.20.1 11:50')
    const second = nextControlPlaneVersion(first, seen, moment('12:00'))
    const third = nextControlPlaneVersion(second, seen, moment('12:01'))
    assert.deepEqual([names(first, second), names(second, third)], [['Completed'], []])
  })
})
