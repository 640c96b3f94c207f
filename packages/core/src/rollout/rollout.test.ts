import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ComponentReport } from '../completion/index.ts'
import { component, components, history, image, moment, release } from '../testing/notation.ts'
import { isControlPlaneAt, isInitialRollout, rolloutBlockers, rolloutState, type RolloutStatus, updateInProgress } from './index.ts'

const minutes = 60_000
const noon = moment('12:00')

const status = (...updates: readonly string[]): RolloutStatus => {
  const entries = history(...updates)
  return { controlPlaneVersion: { desired: { version: entries[0]?.version ?? '', image: entries[0]?.image ?? '' }, history: entries } }
}
const paused: Pick<RolloutStatus, 'conditions'> = { conditions: [{ type: 'ReconciliationActive', status: 'False' }] }

describe('a rollout', () => {
  it('N09 of which nothing is known is unknown', () => {
    for (const nothing of [undefined, {}, { controlPlaneVersion: { desired: release('4.20.1') } }, status(), paused]) {
      assert.equal(rolloutState(nothing, noon), 'Unknown')
    }
  })

  it('N14 stalls when it takes longer than it may', () => {
    const running = status('P 4.20.1 12:00', 'C 4.20.0')
    assert.equal(rolloutState(running, noon + 59 * minutes), 'Progressing')
    assert.equal(rolloutState(running, noon + 60 * minutes), 'Progressing')
    assert.equal(rolloutState(running, noon + 61 * minutes), 'Stalled')
    assert.equal(rolloutState(running, noon + 61 * minutes, 90 * minutes), 'Progressing')
    assert.equal(rolloutState(running, noon - 61 * minutes), 'Progressing')
  })

  it('N15 is paused, however long it takes, while nobody works on it', () => {
    const running = status('P 4.20.1 12:00', 'C 4.20.0')
    assert.equal(rolloutState({ ...running, ...paused }, noon + 180 * minutes), 'Paused')
    const active = { conditions: [{ type: 'ReconciliationActive', status: 'True' }] }
    assert.equal(rolloutState({ ...running, ...active }, noon + 180 * minutes), 'Stalled')
  })

  it('that is completed stays so, paused or not', () => {
    assert.equal(rolloutState({ ...status('C 4.20.1 10:00-10:30'), ...paused }, noon), 'Completed')
  })
})

describe('a control plane is at a version', () => {
  it('when its newest update is completed, and is the wanted one', () => {
    assert.ok(isControlPlaneAt(status('C 4.20.1'), '4.20.1'))
    assert.ok(!isControlPlaneAt(status('C 4.20.1'), '4.20.0'))
    assert.ok(!isControlPlaneAt(status('P 4.20.1', 'C 4.20.0'), '4.20.1'))
    assert.ok(!isControlPlaneAt(status('P 4.20.1', 'C 4.20.0'), '4.20.0'))
  })

  it('not while another release is wanted', () => {
    const { history } = status('C 4.20.1/A').controlPlaneVersion ?? assert.fail()
    const wanting = (desired: string): RolloutStatus => ({ controlPlaneVersion: { desired: release(desired), history: history ?? [] } })
    assert.ok(isControlPlaneAt(wanting('4.20.1/A'), '4.20.1'))
    assert.ok(!isControlPlaneAt(wanting('4.20.1/B'), '4.20.1'))
    assert.ok(!isControlPlaneAt(wanting('4.20.2/A'), '4.20.1'))
  })

  it('by digest: a mirror makes no difference', () => {
    const { history } = status('C 4.20.1/A').controlPlaneVersion ?? assert.fail()
    const desired = { version: '4.20.1', image: image('A').replace('quay.io', 'mirror.local') }
    assert.ok(isControlPlaneAt({ controlPlaneVersion: { desired, history: history ?? [] } }, '4.20.1'))
  })

  it('N09 not when nothing is known', () => assert.ok(!isControlPlaneAt(undefined, '4.20.1') && !isControlPlaneAt({}, '4.20.1')))
})

describe('what keeps an update from being complete', () => {
  const target = { version: '4.20.1', generation: 5 }
  const waiting: ComponentReport = {
    metadata: { name: 'kube-apiserver' },
    status: {
      version: '4.20.0',
      conditions: [
        { type: 'RolloutComplete', status: 'False', reason: 'WaitingForDependencies', message: 'Waiting for Dependencies: etcd' },
      ],
    },
  }

  it('N16 is listed by name; the root is what waits for no other component', () => {
    const blockers = rolloutBlockers([waiting, ...components('router@4.20.1+', 'etcd@4.20.0-')], target)
    assert.deepEqual(blockers, [
      { name: 'etcd', cause: 'VersionMismatch', reason: 'WaitingForRolloutComplete', message: 'one of two is there', isRoot: true },
      {
        name: 'kube-apiserver',
        cause: 'VersionMismatch',
        reason: 'WaitingForDependencies',
        message: 'Waiting for Dependencies: etcd',
        isRoot: false,
      },
    ])
  })

  it('has the first cause that applies', () => {
    const causes = rolloutBlockers(components('a@4.20.0-#4', 'b@4.20.1-#4', 'c@4.20.1+#4', 'd@4.20.1+#5'), target)
    assert.deepEqual(
      causes.map(({ name, cause }) => [name, cause]),
      [
        ['a', 'VersionMismatch'],
        ['b', 'RolloutIncomplete'],
        ['c', 'StaleGeneration'],
      ],
    )
  })

  it('is also what should be there and is not', () => {
    const blockers = rolloutBlockers(components('kube-apiserver@4.20.1+'), target, new Set(['kube-apiserver', 'etcd']))
    assert.deepEqual(blockers, [{ name: 'etcd', cause: 'Missing', reason: '', message: '', isRoot: true }])
  })

  it('is nothing that is being deleted, and nothing that is done', () => {
    const leaving = { ...component('old@4.19.0-'), metadata: { name: 'old', deletionTimestamp: '2026-03-06T11:00:00Z' } }
    assert.deepEqual(rolloutBlockers([leaving, component('etcd@4.20.1+')], target), [])
  })

  it('is a component that says nothing', () => {
    const blockers = rolloutBlockers([{ metadata: { name: 'etcd' } }], target)
    assert.deepEqual(blockers, [{ name: 'etcd', cause: 'VersionMismatch', reason: '', message: '', isRoot: true }])
  })
})

describe('an update in progress', () => {
  it('N17 goes from one version to another since a moment', () => {
    assert.deepEqual(updateInProgress(history('P 4.20.1 12:00', 'C 4.20.0')), {
      previousVersion: '4.20.0',
      newVersion: '4.20.1',
      since: noon,
    })
  })

  it('is none when it is completed, is the first one, or nothing is known', () => {
    for (const updates of [['C 4.20.1', 'C 4.20.0'], ['P 4.20.1'], []]) assert.equal(updateInProgress(history(...updates)), undefined)
    assert.equal(updateInProgress(undefined), undefined)
  })

  it('N18 is an installation only while nothing has ever been completed', () => {
    assert.ok(!isInitialRollout(history('P 4.20.1', 'C 4.20.0')))
    assert.ok(isInitialRollout(history('P 4.20.1')))
    assert.ok(isInitialRollout(undefined))
  })
})
