import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExposureState, ExposureView } from '@windlass/fleet'
import { exposureLines } from './lines.ts'

const side = (state: ExposureState, evidence: string, ...versions: string[]) => ({ state, evidence, versions })

const view: ExposureView = {
  time: '2026-03-06T12:00:00Z',
  fixedIn: ['4.20.3', '4.19.19'],
  counts: { Fixed: 0, Pending: 1, Vulnerable: 2, Unknown: 0 },
  clusters: [
    {
      id: 'east/clusters/a',
      state: 'Vulnerable',
      controlPlane: side('Fixed', '4.20.3 runs', '4.20.3'),
      dataPlane: side('Vulnerable', '4.20.1 is below 4.20.3', '4.20.1'),
      isCurrent: true,
    },
    {
      id: 'west',
      state: 'Vulnerable',
      controlPlane: side('Vulnerable', '4.19.6 is below 4.19.19', '4.19.6'),
      dataPlane: side('Vulnerable', '4.19.6 is below 4.19.19', '4.19.6'),
      isCurrent: false,
    },
    {
      id: 'east/clusters/b',
      state: 'Pending',
      controlPlane: side('Pending', '4.20.1 may still run', '4.20.3', '4.20.1'),
      dataPlane: side('Pending', 'nodes wait', '4.20.1'),
      isCurrent: true,
    },
  ],
}

describe('exposure, for people', () => {
  it('has the evidence of the worse side, and of both when they are alike', () => {
    assert.deepEqual(exposureLines(view, { isWide: false, isSummary: false, hasMembers: true }), [
      'Fixed in 4.20.3, 4.19.19: 2 of 3 clusters are vulnerable',
      '',
      'CLUSTER           STATE        CONTROL PLANE   DATA PLANE   EVIDENCE',
      'east/clusters/a   Vulnerable   Fixed           Vulnerable   data plane: 4.20.1 is below 4.20.3',
      'west              Vulnerable   Vulnerable      Vulnerable   as last known: 4.19.6 is below 4.19.19',
      'east/clusters/b   Pending      Pending         Pending      control plane: 4.20.1 may still run; data plane: nodes wait',
    ])
  })

  it('names versions that may run where there is room, and no member where there is one only', () => {
    const lines = exposureLines(view, { isWide: true, isSummary: false, hasMembers: false })
    assert.match(lines[5] ?? '', /^clusters\/b {3}Pending {6}Pending {9}Pending {6}4\.20\.3 4\.20\.1 {3}control plane/)
  })

  it('can be a summary', () => {
    assert.deepEqual(exposureLines(view, { isWide: false, isSummary: true, hasMembers: true }), [
      'Fixed in 4.20.3, 4.19.19: 2 of 3 clusters are vulnerable',
      '',
      'STATE        CLUSTERS',
      'Vulnerable   2',
      'Unknown      0',
      'Pending      1',
      'Fixed        0',
    ])
  })
})
