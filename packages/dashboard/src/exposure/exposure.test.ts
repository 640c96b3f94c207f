import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClusterExposure } from '@windlass/fleet/contract'
import { exposureCsv, exposureJson, readFixedVersions } from './index.ts'

describe('fixed versions', () => {
  it('are read with any space between them', () => {
    assert.deepEqual(readFixedVersions(' 4.20.3,4.19.19\n v4.18.30 '), { versions: ['4.20.3', '4.19.19', '4.18.30'] })
    assert.deepEqual(readFixedVersions('4.20.3 4.20.3'), { versions: ['4.20.3'] })
  })

  for (const [text, problem] of [
    ['', /first fixed version/],
    ['4.20', /4\.20 is not a version: write three numbers/],
    ['4.20.3, latest', /latest is not a version/],
    ['1.2.3', /not a version of OpenShift/],
    ['4.20.3, 4.20.5', /4\.20\.3 and 4\.20\.5 are both of 4\.20/],
    ['4.23.1, 5.0.2', /are both of 5\.0/],
  ] as const) {
    it(`are refused when they are ${JSON.stringify(text)}`, () => {
      const read = readFixedVersions(text)
      assert.match('problem' in read ? read.problem : '', problem)
    })
  }
})

const cluster = (id: string): ClusterExposure => ({
  id,
  state: 'Pending',
  controlPlane: { state: 'Fixed', evidence: '4.20.3 is completed', versions: ['4.20.3'] },
  dataPlane: {
    state: 'Pending',
    evidence: '4.19.12 may still run: the update, to 4.20.3, is not "completed"',
    versions: ['4.20.3', '4.19.12'],
  },
  isCurrent: true,
})

describe('exports', () => {
  it('are CSV with quotes where they are needed', () => {
    assert.equal(
      exposureCsv([cluster('east/clusters/prod')]),
      'cluster,state,control plane,control plane evidence,data plane,data plane evidence,current\r\n' +
        'east/clusters/prod,Pending,Fixed,4.20.3 is completed,Pending,"4.19.12 may still run: the update, to 4.20.3, is not ""completed""",yes\r\n',
    )
  })

  it('hold no formulas', () => assert.match(exposureCsv([cluster('=cmd|x')]), /\r\n'=cmd\|x,/))

  it('are JSON with the rows that are shown', () => {
    const view = {
      time: '',
      fixedIn: ['4.20.3'],
      counts: { Fixed: 0, Pending: 2, Vulnerable: 0, Unknown: 0 },
      clusters: [cluster('a'), cluster('b')],
    }
    assert.deepEqual(JSON.parse(exposureJson(view, [cluster('a')])), { ...view, clusters: [cluster('a')] })
  })
})
