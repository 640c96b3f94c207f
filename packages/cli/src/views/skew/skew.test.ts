import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster } from '@windlass/api'
import { aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { parseVersion, type SkewPolicy } from '@windlass/core'
import { isBadSkew, skewLines, skewOf } from './index.ts'

const pool = (name: string, version: string) => aNodePool({ name, release: version, status: { version, replicas: 3 } })
const question = (policy: SkewPolicy = 'parity', to?: string) =>
  ({ policy, source: 'Auto', ...(to === undefined ? {} : { target: parseVersion(to) }) }) as const

/** In the middle of an update. */
function underway(from: string, to: string): HostedCluster {
  const cluster = aHostedCluster({ release: from })
  const [completed] = cluster.status?.controlPlaneVersion?.history ?? []
  const controlPlaneVersion = cluster.status?.controlPlaneVersion ?? assert.fail()
  const running = { ...(completed ?? assert.fail()), state: 'Partial' as const, version: to }
  return {
    ...cluster,
    status: { ...cluster.status, controlPlaneVersion: { ...controlPlaneVersion, history: [running, completed ?? assert.fail()] } },
  }
}

describe('how far nodes are from their control plane', () => {
  it('is said of each pool, with the policy and the versions that it was judged by', () => {
    const view = skewOf(aHostedCluster({ release: '4.20.6' }), [pool('workers', '4.20.6'), pool('batch', '4.18.19')], question())
    assert.deepEqual(skewLines(view), [
      'clusters/prod',
      'Control plane: may run 4.20.6 (by Auto)',
      'Nodes:         may run 4.18 to 4.20.6, and move to 4.18 to 4.20.6 (by policy parity)',
      '',
      'POOL      VERSION   ALLOWED          VERDICT',
      'batch     4.18.19   4.18 .. 4.20.6   Supported, as old as it may be',
      'workers   4.20.6    4.18 .. 4.20.6   Supported',
    ])
    assert.equal(isBadSkew(view), false)
  })

  it('is bad news when nodes are too old or too new', () => {
    const view = skewOf(aHostedCluster({ release: '4.20.6' }), [pool('old', '4.17.2'), pool('new', '4.20.7')], question())
    assert.deepEqual(
      view.pools.map(({ name, verdict }) => `${name} ${verdict}`),
      ['new TooNew', 'old TooOld'],
    )
    assert.ok(isBadSkew(view))
    assert.match(skewLines(view).join('\n'), /old +4\.17\.2 +4\.18 \.\. 4\.20\.6 +TooOld: 4\.17\.2 is below 4\.18/)
  })

  it('depends on every version that may run in a control plane that is being updated', () => {
    const view = skewOf(underway('4.19.6', '4.20.1'), [pool('workers', '4.19.6')], question('fixed:1'))
    assert.deepEqual([view.active, view.tolerated?.min, view.tolerated?.max], [['4.20.1', '4.19.6'], '4.18', '4.20.1'])
    assert.deepEqual([view.safe?.min, view.safe?.max], ['4.19', '4.19.6'])
  })

  it('NP-28 plans the way of a control plane: who would be left behind moves before it', () => {
    const pools = [pool('workers', '4.20.6'), pool('batch', '4.18.19')]
    const lines = skewLines(skewOf(aHostedCluster({ release: '4.20.6' }), pools, question('parity', '4.21.1')))
    assert.deepEqual(lines.slice(lines.indexOf('') + 4), [
      '',
      'A control plane at 4.21.1 would leave behind: batch.',
      '',
      'STEP   WHAT            TO       WHY',
      '1      pool batch      4.20.6   a control plane at 4.21.1 would not support them',
      '2      control plane   4.21.1   it is wanted',
    ])
  })

  it('says why a version cannot be reached', () => {
    const view = skewOf(aHostedCluster({ release: '4.20.6' }), [], question('parity', '4.19.1'))
    assert.ok(isBadSkew(view))
    assert.match(skewLines(view).join('\n'), /It has no node pools\.[\s\S]*Problem: a control plane does not go back/)
  })

  it('judges nothing while nobody knows what runs', () => {
    const { status: _, ...cluster } = aHostedCluster()
    const lines = skewLines(skewOf(cluster, [pool('workers', '4.19.6')], question()))
    assert.match(lines.join('\n'), /what runs there is not known yet[\s\S]*workers +4\.19\.6 +\? +Unknown/)
  })
})
