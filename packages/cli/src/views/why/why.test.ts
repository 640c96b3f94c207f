import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTime } from '@windlass/core'
import type { WhyView } from '@windlass/fleet'
import { whyLines } from './lines.ts'

const now = parseTime('2026-03-06T12:00:00Z') ?? assert.fail()

const view: WhyView = {
  time: '2026-03-06T12:00:00Z',
  id: 'east/clusters/prod',
  verdict: 'The upgrade to 4.20.3 has waited for 72m for kube-apiserver: its image cannot be pulled.',
  chains: [
    {
      links: [
        {
          object: { kind: 'HostedCluster', namespace: 'clusters', name: 'prod', side: 'management' },
          says: 'it goes to 4.20.3',
          since: '2026-03-06T10:48:00Z',
        },
        {
          object: { kind: 'ControlPlaneComponent', namespace: 'clusters-prod', name: 'kube-apiserver', side: 'management' },
          says: 'it is not rolled out',
        },
        {
          object: { kind: 'Pod', namespace: 'clusters-prod', name: 'kube-apiserver-0', side: 'management' },
          says: 'its image cannot be pulled',
          reason: 'ErrImagePull',
          since: '2026-03-06T11:00:00Z',
        },
      ],
      remedy: 'Check the pull secret.',
      command: 'kubectl describe pod -n clusters-prod kube-apiserver-0',
    },
    { links: [{ object: { kind: 'Node', name: 'worker-0', side: 'guest' }, says: 'it is not ready' }] },
  ],
  unknown: ['The Pods of the guest could not be read.'],
}

describe('why a cluster waits, for people', () => {
  it('is a verdict, and chains down to their roots with what to do', () => {
    assert.deepEqual(whyLines(view, { now, name: 'clusters/prod' }), [
      'clusters/prod',
      'The upgrade to 4.20.3 has waited for 72m for kube-apiserver: its image cannot be pulled.',
      '',
      '1. HostedCluster clusters/prod: it goes to 4.20.3 (for 72m)',
      '   └─ ControlPlaneComponent clusters-prod/kube-apiserver: it is not rolled out',
      '      └─ Pod clusters-prod/kube-apiserver-0: its image cannot be pulled (ErrImagePull, for 60m)',
      '   What to do: Check the pull secret.',
      '   Run:        kubectl describe pod -n clusters-prod kube-apiserver-0',
      '',
      '2. Node worker-0 in the cluster: it is not ready',
      '',
      'Not known:',
      '  The Pods of the guest could not be read.',
    ])
  })

  it('names moments too where there is room', () => {
    const lines = whyLines(view, { now, name: 'clusters/prod', isWide: true })
    assert.equal(lines[3], '1. HostedCluster clusters/prod: it goes to 4.20.3 (for 72m, since 2026-03-06T10:48:00Z)')
  })

  it('is one sentence where there is nothing to wait for', () => {
    const steady = { ...view, verdict: 'It waits for nothing.', chains: [], unknown: [] }
    assert.deepEqual(whyLines(steady, { now, name: 'clusters/prod' }), ['clusters/prod', 'It waits for nothing.'])
  })
})
