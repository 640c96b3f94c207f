import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EventView } from '@windlass/fleet'
import { eventHeading, eventLine, eventTable } from './lines.ts'

const events: readonly EventView[] = [
  {
    time: '2026-03-06T11:00:00Z',
    count: 1,
    type: 'Normal',
    reason: 'ControlPlaneUpdateStarted',
    message: 'The update to 4.20.3 has started.',
    object: { kind: 'HostedControlPlane', namespace: 'clusters-prod', name: 'prod', side: 'management' },
    cluster: 'east/clusters/prod',
    source: 'windlass.dev/hosted-control-plane',
  },
  {
    time: '2026-03-06T11:05:00Z',
    count: 4,
    type: 'Warning',
    reason: 'Failed',
    message: 'Failed to pull\n  the image',
    object: { kind: 'Pod', namespace: 'clusters-prod', name: 'etcd-0', side: 'management' },
    cluster: 'east/clusters/prod',
  },
]

describe('events, for people', () => {
  it('are a table', () => {
    assert.deepEqual(eventTable(events), [
      'TIME                   TYPE      CLUSTER         REASON                      OBJECT                                  MESSAGE',
      '2026-03-06T11:00:00Z   Normal    clusters/prod   ControlPlaneUpdateStarted   HostedControlPlane clusters-prod/prod   The update to 4.20.3 has started.',
      '2026-03-06T11:05:00Z   Warning   clusters/prod   Failed                      Pod clusters-prod/etcd-0                Failed to pull the image (4 times)',
    ])
    assert.match(
      eventTable(events, { isWide: true, hasMembers: true })[1] ?? '',
      /east\/clusters\/prod .* 1 {7}windlass\.dev\/hosted-control-plane {3}The update/,
    )
  })

  it('are lines when they come one by one, each below its heading', () => {
    for (const isWide of [false, true]) {
      const lines = [eventHeading({ isWide }), ...events.map((event) => eventLine({ source: 'kubelet', ...event }, { isWide }))]
      for (const word of ['REASON', 'OBJECT', ...(isWide ? ['COUNT', 'SOURCE'] : []), 'MESSAGE']) {
        const column = lines[0]?.indexOf(word) ?? assert.fail()
        assert.ok(
          lines.every((line) => line[column - 1] === ' ' && line[column] !== ' '),
          word,
        )
      }
    }
  })
})
