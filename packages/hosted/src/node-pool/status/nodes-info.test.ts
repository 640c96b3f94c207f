import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi } from '@windlass/api'
import { aCapiMachine } from '@windlass/api/fixtures'
import { Annotation } from '../wire.ts'
import { nodesInfoOf, osImageStreamOf } from './index.ts'

interface Told {
  readonly version?: string
  readonly kubelet?: string
  readonly osImage?: string
  readonly isHealthy?: boolean
}

function machine({
  version,
  kubelet = 'v1.32.6',
  osImage = 'Red Hat Enterprise Linux CoreOS 9.6.20260101-0',
  isHealthy = true,
}: Told): capi.Machine {
  const made = aCapiMachine()
  const nodeInfo = made.status?.nodeInfo ?? assert.fail()
  const health = { type: 'NodeHealthy', status: isHealthy ? 'True' : 'False', lastTransitionTime: '2026-03-06T12:00:00Z' } as const
  return {
    ...made,
    metadata: { ...made.metadata, annotations: version === undefined ? {} : { [Annotation.releaseVersion]: version } },
    status: { ...made.status, nodeInfo: { ...nodeInfo, kubeletVersion: kubelet, osImage }, conditions: [health] },
  }
}

describe('what nodes run', () => {
  it('14 is counted by both versions, ready or not, in the order of texts', () => {
    const machines = [
      machine({ version: '4.20.1', kubelet: 'v1.33.2' }),
      machine({ version: '4.19.6', isHealthy: false }),
      machine({ version: '4.19.6' }),
      machine({ version: '4.19.6' }),
    ]
    assert.deepEqual(nodesInfoOf(machines, undefined)?.nodeVersions, [
      { ocpVersion: '4.19.6', kubeletVersion: 'v1.32.6', readyNodeCount: 2, unreadyNodeCount: 1 },
      { ocpVersion: '4.20.1', kubeletVersion: 'v1.33.2', readyNodeCount: 1, unreadyNodeCount: 0 },
    ])
  })

  it('14 is that of the pool where a machine does not say its own, and nothing where nobody does', () => {
    assert.equal(nodesInfoOf([machine({})], { version: '4.18.0' })?.nodeVersions[0]?.ocpVersion, '4.18.0')
    assert.equal(nodesInfoOf([machine({})], undefined), undefined)
  })
})

describe('the operating system that nodes run', () => {
  const nine = machine({})
  const ten = machine({ osImage: 'Red Hat Enterprise Linux CoreOS 10.0.20260101-0' })
  const before = { osImageStream: { name: 'rhel-9' } } as const

  it('14 is that of more than half of them', () => {
    assert.deepEqual(osImageStreamOf([ten, ten, nine], before), { name: 'rhel-10' })
    assert.deepEqual(osImageStreamOf([machine({ osImage: 'Red Hat Enterprise Linux CoreOS 419.96.2025' })], undefined), { name: 'rhel-9' })
    assert.deepEqual(osImageStreamOf([machine({ osImage: 'Red Hat Enterprise Linux CoreOS 501.1.2027' })], undefined), { name: 'rhel-10' })
  })

  it('14 stays what it was while they are divided, or say nothing that is known', () => {
    assert.equal(osImageStreamOf([ten, nine], before), before.osImageStream)
    assert.equal(osImageStreamOf([machine({ osImage: 'Fedora' })], before), before.osImageStream)
    assert.equal(osImageStreamOf([], undefined), undefined)
  })
})
