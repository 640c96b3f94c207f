import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { history } from '../testing/notation.ts'
import {
  activeVersionsOf,
  completedVersion,
  parseSkewSource,
  referenceVersion,
  skewRange,
  SkewSource,
  UnknownSkewSourceError,
  type VersionReport,
} from './index.ts'

const report = (...updates: readonly string[]): VersionReport => ({ desired: { version: '4.21.9' }, history: history(...updates) })
const active = (reports: Parameters<typeof activeVersionsOf>[0], source?: SkewSource) =>
  activeVersionsOf(reports, source)?.map(({ text }) => text)

describe('the reference version', () => {
  it('is the newest Completed, else the newest, else what is wanted', () => {
    assert.equal(referenceVersion({ version: report('P 4.20.1', 'C 4.19.6', 'C 4.19.1') }), '4.19.6')
    assert.equal(referenceVersion({ version: report('P 4.20.1', 'P 4.19.6') }), '4.20.1')
    assert.equal(referenceVersion({ version: report() }), '4.21.9')
  })

  it('NP-24 is unknown when nothing tells a version', () => {
    assert.equal(referenceVersion({}), undefined)
    assert.equal(referenceVersion({ version: {} }), undefined)
    assert.equal(referenceVersion({ version: { desired: { version: '' } } }), undefined)
    assert.equal(activeVersionsOf({}), undefined)
    assert.equal(skewRange(activeVersionsOf({ version: { history: [] } })), undefined)
  })

  it('NP-26 comes from the management side as soon as that has completed an update', () => {
    const reports = { version: report('P 4.20.1', 'C 4.19.6'), controlPlaneVersion: report('C 4.20.1', 'C 4.19.6') }
    assert.equal(referenceVersion(reports), '4.20.1')
    assert.equal(referenceVersion(reports, 'ControlPlaneVersion'), '4.20.1')
    assert.equal(referenceVersion(reports, 'ClusterVersion'), '4.19.6')
  })

  it('comes from the guest while the management side knows its target alone', () => {
    const reports = { version: report('P 4.20.1', 'C 4.19.6'), controlPlaneVersion: report('P 4.20.1') }
    assert.equal(referenceVersion(reports), '4.19.6')
    assert.equal(referenceVersion(reports, 'ControlPlaneVersion'), '4.20.1')
    assert.deepEqual(active(reports), ['4.20.1', '4.19.6'])
  })

  it('comes from the management side when the guest reports nothing', () =>
    assert.equal(referenceVersion({ controlPlaneVersion: report('P 4.20.1') }), '4.20.1'))

  it('NP-27 is never a superseded update, though it has a completion time', () => {
    const reports = { version: report('P 4.21.0', 'P 4.20.3 11:00-11:50', 'C 4.19.6 10:00-11:00') }
    assert.equal(referenceVersion(reports, 'ClusterVersion'), '4.19.6')
    assert.equal(completedVersion(reports, 'ClusterVersion'), '4.19.6')
  })

  it('has no completed version while the first installation runs', () => {
    assert.equal(completedVersion({ version: report('P 4.20.1'), controlPlaneVersion: report('P 4.20.1') }), undefined)
  })
})

describe('the active versions of a hosted cluster', () => {
  const reports = { version: report('C 4.18.3'), controlPlaneVersion: report('P 4.20.1', 'P 4.19.19', 'C 4.19.6') }

  it('NP-25 are those of the management side', () => assert.deepEqual(active(reports), ['4.20.1', '4.19.19', '4.19.6']))
  it('are those of the guest where that is asked for', () => assert.deepEqual(active(reports, 'ClusterVersion'), ['4.18.3']))
  it('are those of the guest where the management side reports nothing', () =>
    assert.deepEqual(active({ version: reports.version }), ['4.18.3']))
  it('are what is wanted before anything was recorded', () =>
    assert.deepEqual(active({ controlPlaneVersion: { desired: { version: '4.20.0' } } }, 'ControlPlaneVersion'), ['4.20.0']))
})

describe('a source of versions', () => {
  it('is one of three', () => {
    assert.deepEqual(['Auto', 'ClusterVersion', 'ControlPlaneVersion'].map(parseSkewSource), Object.values(SkewSource))
    assert.throws(() => parseSkewSource('Guest'), {
      name: UnknownSkewSourceError.name,
      message: '"Guest" is no source of versions: choose one of Auto, ClusterVersion, ControlPlaneVersion',
    })
  })
})
