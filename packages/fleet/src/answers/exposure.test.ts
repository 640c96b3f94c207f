import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster, NodePool } from '@windlass/api'
import { aHostedCluster, aNodePool, aReleaseImage, aVersionStatus } from '@windlass/api/fixtures'
import { exposureView, hostedExposure, InvalidFixError, parseFixes } from './exposure.ts'

type Entry = readonly ['Completed' | 'Partial', string]

/** A cluster whose two histories are these, newest first. */
function aCluster(controlPlane: readonly Entry[], guest: readonly Entry[] = controlPlane): HostedCluster {
  const cluster = aHostedCluster()
  const startedTime = '2026-03-06T12:00:00Z'
  const release = ([, version]: Entry) => ({ version, image: aReleaseImage(version) })
  const entries = (history: readonly Entry[]) => history.map((entry) => ({ state: entry[0], startedTime, ...release(entry) }))
  const [newest] = controlPlane
  return {
    ...cluster,
    status: {
      ...(newest === undefined ? {} : { controlPlaneVersion: { desired: release(newest), history: entries(controlPlane) } }),
      version: { ...aVersionStatus(), history: entries(guest).map((entry) => ({ ...entry, completionTime: startedTime, verified: true })) },
    },
  }
}

const ask = (hostedCluster: HostedCluster, fixedIn: readonly string[], pools: readonly NodePool[] = []) =>
  hostedExposure('east/clusters/prod', { hostedCluster, pools }, true, parseFixes(fixedIn))

describe('exposure of a hosted cluster', () => {
  it('N10 is pending while the fixed version is not completed', () => {
    const { state, controlPlane } = ask(
      aCluster([
        ['Partial', '4.20.1'],
        ['Completed', '4.20.0'],
      ]),
      ['4.20.1'],
    )
    assert.equal(state, 'Pending')
    assert.match(controlPlane.evidence, /"4\.20\.0" may still run/)
    assert.deepEqual(controlPlane.versions, ['4.20.1', '4.20.0'])
  })

  it('N11 is fixed when it is', () => {
    assert.equal(ask(aCluster([['Completed', '4.20.1']]), ['4.20.1']).state, 'Fixed')
  })

  it('N12 is vulnerable below the fix of its minor', () => {
    assert.equal(ask(aCluster([['Completed', '4.20.0']]), ['4.20.1']).state, 'Vulnerable')
  })

  it('N13 is unknown where no fix is listed for its minor', () => {
    assert.equal(ask(aCluster([['Completed', '4.21.0']]), ['4.20.1']).state, 'Unknown')
  })

  it('N09 is unknown where nothing is reported', () => {
    assert.equal(ask(aHostedCluster({ status: {} }), ['4.20.1']).state, 'Unknown')
  })

  it('is not over while nodes of a pool run an older version, whatever the control plane says', () => {
    const behind = aNodePool({ name: 'workers', release: '4.20.0' })
    const answer = ask(aCluster([['Completed', '4.20.1']]), ['4.20.1'], [behind])
    assert.deepEqual([answer.controlPlane.state, answer.dataPlane.state, answer.state], ['Fixed', 'Vulnerable', 'Vulnerable'])
    assert.match(answer.dataPlane.evidence, /^node pool workers: 4\.20\.0 is below 4\.20\.1/)
    assert.deepEqual(answer.dataPlane.versions, ['4.20.1', '4.20.0'])
  })

  it('is pending for a pool that is on its way to the fix', () => {
    const moving = aNodePool({ name: 'workers', release: '4.20.0', spec: { release: { image: aReleaseImage('4.20.1') } } })
    assert.equal(ask(aCluster([['Completed', '4.20.1']]), ['4.20.1'], [moving]).dataPlane.state, 'Pending')
  })

  it('does not ask a pool that has no nodes and wants none', () => {
    const { status: _, ...empty } = aNodePool({ spec: { replicas: 0 } })
    assert.equal(ask(aCluster([['Completed', '4.20.1']]), ['4.20.1'], [empty]).state, 'Fixed')
    const { status: __, ...starting } = aNodePool({ spec: { replicas: 3 } })
    assert.equal(ask(aCluster([['Completed', '4.20.1']]), ['4.20.1'], [starting]).state, 'Unknown')
  })

  it('is unknown where nobody may see the pools, and vulnerable all the same if that can be told', () => {
    const why = 'nodepools.hypershift.openshift.io cannot be read'
    const asked = (version: string) =>
      hostedExposure('a', { hostedCluster: aCluster([['Completed', version]]), pools: [], unreadPools: why }, true, parseFixes(['4.20.1']))
    const { state, controlPlane, dataPlane } = asked('4.20.1')
    assert.deepEqual([state, controlPlane.state, dataPlane.state], ['Unknown', 'Fixed', 'Unknown'])
    assert.equal(dataPlane.evidence, `its node pools are not known: ${why}`)
    assert.equal(asked('4.20.0').dataPlane.state, 'Vulnerable')
  })

  it('counts a fix in 4.23 as one in 5.0', () => {
    assert.equal(ask(aCluster([['Completed', '5.0.2']]), ['4.23.2']).state, 'Fixed')
  })
})

describe('the versions that fix something', () => {
  const refuses = (fixedIn: readonly string[], words: RegExp): void => {
    assert.throws(
      () => parseFixes(fixedIn),
      (error) => error instanceof InvalidFixError && words.test(error.message),
    )
  }

  it('are refused with a word on what is wrong', () => {
    refuses([], /no fixed version is given/)
    refuses(['4.20'], /"4\.20" is not a version: give all three numbers/)
    refuses(['4.20.1', '4.20.3'], /4\.20 is said to be fixed in 4\.20\.1 and in 4\.20\.3: keep the lower one/)
    refuses(['3.11.4'], /only 4\.x and 5\.x/)
    refuses(['4.23.1', '5.0.2'], /the same minor/)
  })

  it('may be given twice, and with spaces around them', () => {
    assert.equal(parseFixes([' 4.20.1', '4.20.1', '']).fixes.size, 1)
  })
})

describe('exposure of a fleet', () => {
  it('comes worst first, then by id', () => {
    const side = { state: 'Fixed', evidence: '', versions: [] } as const
    const of = (id: string, state: 'Fixed' | 'Vulnerable' | 'Pending' | 'Unknown') => ({
      id,
      state,
      controlPlane: side,
      dataPlane: side,
      isCurrent: true,
    })
    const view = exposureView(
      '',
      ['4.20.1'],
      [of('b', 'Fixed'), of('d', 'Vulnerable'), of('a', 'Pending'), of('c', 'Vulnerable'), of('e', 'Unknown')],
    )
    assert.deepEqual(
      view.clusters.map(({ id }) => id),
      ['c', 'd', 'e', 'a', 'b'],
    )
    assert.deepEqual(view.counts, { Fixed: 1, Pending: 1, Vulnerable: 2, Unknown: 1 })
  })
})
