import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { activeVersions } from '../active-versions/index.ts'
import type { ComponentReport } from '../completion/index.ts'
import { component, moment, release } from '../testing/notation.ts'
import { parseTime } from '../time/rfc3339.ts'
import { type ControlPlaneVersion, type HistoryEntry, longestHistory, nextControlPlaneVersion } from './index.ts'

const releases = ['4.19.6/A', '4.19.6/B', '4.20.1/C', '4.20.1/A', '4.21.0/D']
const versions = releases.map((text) => release(text).version)

const report = fc
  .record({
    name: fc.constantFrom('etcd', 'kube-apiserver', 'router'),
    version: fc.constantFrom(...versions),
    sign: fc.constantFrom('+', '-'),
  })
  .map(({ name, version, sign }) => component(`${name}@${version}${sign}`))

/** Everything that can differ from one look to the next, the clock included: it may go back. */
const look = fc.record({
  desired: fc.constantFrom(...releases).map(release),
  generation: fc.integer({ min: 1, max: 9 }),
  components: fc.option(
    fc.oneof(
      fc.array(report, { maxLength: 3 }),
      fc.constantFrom(...versions).map((version): ComponentReport[] => [component(`kube-apiserver@${version}+`)]),
    ),
    { nil: undefined },
  ),
  expected: fc.constantFrom(new Set<string>(), new Set(['kube-apiserver'])),
  now: fc.integer({ min: -5_000_000, max: 5_000_000 }).map((offset) => moment('12:00') + offset),
})

const time = (text: string | undefined): number => parseTime(text) ?? Number.NaN

function lawful(history: readonly HistoryEntry[]): void {
  assert.ok(history.length > 0 && history.length <= longestHistory)
  for (const [index, entry] of history.entries()) {
    const above = history[index - 1]
    assert.match(entry.startedTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    if (entry.completionTime !== undefined) assert.ok(time(entry.completionTime) >= time(entry.startedTime))
    if (above === undefined) assert.equal(entry.completionTime !== undefined, entry.state === 'Completed')
    else assert.equal(entry.completionTime, above.startedTime)
  }
}

describe('whatever happens to a control plane', () => {
  it('its history keeps the laws after every look', () => {
    fc.assert(
      fc.property(fc.array(look, { maxLength: 30 }), (looks) => {
        let before: ControlPlaneVersion | undefined
        for (const { now, ...seen } of looks) {
          const after = nextControlPlaneVersion(before, seen, now)
          if (after === undefined) {
            assert.equal(before, undefined)
            continue
          }
          const history = after.history ?? []
          lawful(history)
          assert.deepEqual(after.desired, seen.desired)
          assert.equal(after.observedGeneration, seen.components === undefined ? before?.observedGeneration : seen.generation)
          older(before?.history ?? [], history)
          if (history[0]?.state === 'Completed') assert.equal(activeVersions(history)?.length, 1)
          before = after
        }
      }),
    )
  })

  it('W9 a second look at the same changes nothing, but may complete what the first one started', () => {
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 10 }), (looks) => {
        let status: ControlPlaneVersion | undefined
        for (const { now, ...seen } of looks) {
          status = nextControlPlaneVersion(status, seen, now)
          const second = nextControlPlaneVersion(status, seen, now)
          assert.equal(nextControlPlaneVersion(second, seen, now), second)
          if (second !== status) assert.equal(second?.history?.[0]?.state, 'Completed')
          assert.equal(second?.history?.length, status?.history?.length)
        }
      }),
    )
  })
})

/** What is below the newest entry never changes, and the newest one changes as the rules let it. */
function older(before: readonly HistoryEntry[], after: readonly HistoryEntry[]): void {
  const added = after.length - before.length
  assert.ok(added === 0 || added === 1)
  assert.deepEqual(after.slice(added + 1), before.slice(1))
  const was = before[0]
  const is = after[added]
  if (was === undefined || is === undefined) return
  assert.deepEqual([is.version, is.image, is.startedTime], [was.version, was.image, was.startedTime])
  if (added === 1 || was.state === 'Completed') assert.equal(is.state, was.state)
  if (added === 1) assert.equal(after[0]?.state, 'Partial')
}
