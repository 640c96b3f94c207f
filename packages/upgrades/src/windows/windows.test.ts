import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { at, inShort, minute, now } from '../testing/index.ts'
import { controlPlaneWindow, endWindow, hasActiveSilence, type Silence, workerWindow } from './index.ts'

const attempt = { version: '4.4.6', startTime: now - 30 * minute, now }
const end = now + 90 * minute
const controlPlane = 'Silence for OSD control plane upgrade to version 4.4.6'
const criticals = 'Silence for critical alerts during OSD control plane upgrade to version 4.4.6'
const workers = (count: number, version = '4.4.6') =>
  `Silence for OSD worker node upgrade to version ${version} with remaining ${count} nodes`

function silence(comment: string, state: Silence['status']['state'], parts: Partial<Silence> = {}): Silence {
  return {
    id: comment,
    createdBy: 'managed-upgrade-operator',
    comment,
    matchers: [],
    startsAt: at(-20),
    endsAt: at(60),
    updatedAt: at(-20),
    status: { state },
    ...parts,
  }
}
/** Ended by somebody: Alertmanager ends it at the moment of its last change. */
const deleted = { endsAt: at(-5), updatedAt: at(-5) }
/** Ended by itself. */
const ranOut = { endsAt: at(-5), updatedAt: at(-20) }

describe('the window of the control plane', () => {
  it('M01 is two silences when critical alerts are to be silent too', () => {
    const created = controlPlaneWindow([], ['A', 'B'], end, attempt).map((effect) =>
      effect.do === 'create silence' ? effect.silence : undefined,
    )
    const common = { createdBy: 'managed-upgrade-operator', startsAt: '2030-01-01T12:00:00Z', endsAt: '2030-01-01T13:30:00Z' }
    assert.deepEqual(created, [
      {
        ...common,
        comment: controlPlane,
        matchers: [
          { name: 'severity', value: '(warning|info)', isRegex: true },
          { name: 'namespace', value: '(^openshift.*|^kube.*|^redhat.*|^default$)', isRegex: true },
        ],
      },
      { ...common, comment: criticals, matchers: [{ name: 'alertname', value: '(A|B)', isRegex: true }] },
    ])
  })

  it('M02 is one when none are, and none when they are there', () => {
    assert.deepEqual(inShort(controlPlaneWindow([], [], end, attempt)), [`create silence ${controlPlane}`])
    const there = [silence(controlPlane, 'active'), silence(criticals, 'pending')]
    assert.deepEqual(controlPlaneWindow(there, ['A'], end, attempt), [])
  })

  it('M03 is not made anew after this upgrade has ended it', () => {
    assert.deepEqual(controlPlaneWindow([silence(controlPlane, 'expired', deleted)], [], end, attempt), [])
    const justBefore = silence(controlPlane, 'expired', { startsAt: at(-31), ...deleted })
    assert.deepEqual(controlPlaneWindow([justBefore], [], end, attempt), [])
  })

  it('M04 Δ21 is made for a new attempt at the same version', () => {
    const yesterday = silence(controlPlane, 'expired', { startsAt: at(-1500), endsAt: at(-1400), updatedAt: at(-1500) })
    assert.equal(controlPlaneWindow([yesterday], [], end, attempt).length, 1)
  })

  it('does not take a silence of somebody else for its own', () => {
    assert.equal(controlPlaneWindow([silence(controlPlane, 'active', { createdBy: 'a person' })], [], end, attempt).length, 1)
  })
})

describe('the window of the workers', () => {
  it('M05 is made anew when the number of nodes changes', () => {
    const old = silence(workers(3), 'active')
    assert.deepEqual(inShort(workerWindow([old], 2, end, attempt)), [`end silence ${workers(3)}`, `create silence ${workers(2)}`])
    assert.deepEqual(workerWindow([silence(workers(2), 'active')], 2, end, attempt), [])
  })

  it('M06 is not made anew after it ran out', () => {
    assert.deepEqual(workerWindow([silence(workers(2), 'expired', ranOut)], 2, end, attempt), [])
  })

  it('M06 Δ21 is made anew when the number goes back to what it was', () => {
    const three = silence(workers(3), 'expired', deleted)
    const four = silence(workers(4), 'active')
    assert.deepEqual(inShort(workerWindow([three, four], 3, end, attempt)), [`end silence ${workers(4)}`, `create silence ${workers(3)}`])
  })

  it('Δ21 takes the place of every old one', () => {
    const effects = workerWindow([silence(workers(3), 'active'), silence(workers(4), 'active', { id: 'b' })], 2, end, attempt)
    assert.equal(effects.filter((effect) => effect.do === 'end silence').length, 2)
  })

  it('Δ21 is made for a new attempt though one of long ago ran out', () => {
    const yesterday = silence(workers(2), 'expired', { startsAt: at(-1500), endsAt: at(-1400), updatedAt: at(-1500) })
    assert.equal(workerWindow([yesterday], 2, end, attempt).length, 1)
  })
})

describe('ending windows', () => {
  it('M07 leaves silences of others alone', () => {
    const foreign = silence('OSD worker node', 'active', { createdBy: 'a person' })
    assert.deepEqual(endWindow([foreign], 'worker'), [])
  })

  it('ends those of one kind that are in force, each whatever becomes of the others', () => {
    const all = [
      silence(controlPlane, 'active'),
      silence(criticals, 'active'),
      silence(workers(2), 'pending'),
      silence(workers(3), 'expired'),
    ]
    assert.deepEqual(inShort(endWindow(all, 'control plane')), [`end silence ${controlPlane}`, `end silence ${criticals}`])
    assert.deepEqual(inShort(endWindow(all, 'worker')), [`end silence ${workers(2)}`])
    assert.ok(endWindow(all, 'worker').every(({ onFailure }) => onFailure === 'report'))
  })

  it('P16 knows whether any of ours is active', () => {
    assert.ok(hasActiveSilence([silence('x', 'active')]))
    assert.ok(!hasActiveSilence([silence('x', 'pending'), silence('x', 'active', { createdBy: 'a person' })]))
  })
})
