import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asCoreEvent, asNewEvent } from './event-forms.ts'

const core = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'a' },
  involvedObject: { kind: 'Pod', name: 'p' },
  reason: 'Started',
  message: 'it started',
  source: { component: 'kubelet' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: null,
  count: 3,
  type: 'Normal',
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
}

describe('forms of events', () => {
  it('BI-006 a core event is read through events.k8s.io under other names', () => {
    assert.deepEqual(asNewEvent(core), {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata: { name: 'a' },
      regarding: { kind: 'Pod', name: 'p' },
      reason: 'Started',
      note: 'it started',
      deprecatedSource: { component: 'kubelet' },
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedLastTimestamp: null,
      deprecatedCount: 3,
      type: 'Normal',
      eventTime: null,
    })
  })

  it('there and back again nothing changes', () => assert.deepEqual(asCoreEvent(asNewEvent(core)), core))

  it('an event already in a form stays the same object', () => {
    assert.equal(asCoreEvent(core), core)
    const newer = asNewEvent(core)
    assert.equal(asNewEvent(newer), newer)
  })
})
