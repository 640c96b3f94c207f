import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anUpgradeConfig } from '@windlass/api/fixtures'
import { parseTime } from '@windlass/core'
import { timelineOf } from '@windlass/upgrades'
import { timelineLines } from './timeline.ts'

const base = anUpgradeConfig()
const condition = (type: string, status: 'True' | 'False', startTime: string, more: object = {}) => ({
  type,
  status,
  reason: `${type} ${status === 'True' ? 'done' : 'not done'}`,
  message: `${type} is completed`,
  startTime,
  lastProbeTime: startTime,
  lastTransitionTime: startTime,
  ...more,
})

const running = {
  ...base,
  metadata: { ...base.metadata, annotations: { 'upgrade.managed.openshift.io/sent-notifications': '4.4.6/StateStarted' } },
  spec: { ...base.spec, type: 'ARO' as const, desired: { version: '4.4.6', channel: 'fast-4.4' }, upgradeAt: '2030-01-01T12:00:00Z' },
  status: {
    history: [
      {
        version: '4.4.6',
        precedingVersion: '4.4.5',
        phase: 'Upgrading' as const,
        startTime: '2030-01-01T12:00:00Z',
        conditions: [
          condition('ClusterHealthyBeforeUpgrade', 'False', '2030-01-01T12:00:00Z', { message: 'critical alert(s) firing: EtcdDown' }),
          condition('StartedNotificationSent', 'True', '2030-01-01T12:00:00Z', { completeTime: '2030-01-01T12:00:00Z' }),
        ],
      },
    ],
  },
}

describe('the timeline of an upgrade', () => {
  it('shows each step in order, and what the current one waits for', () => {
    const lines = timelineLines(timelineOf(running), parseTime('2030-01-01T12:10:00Z') ?? 0)
    assert.deepEqual(lines.slice(1, 4), [
      'Phase: Upgrading, for 10m now',
      'Now:   critical alert(s) firing: EtcdDown',
      'Told:  StateStarted',
    ])
    assert.deepEqual(
      lines.slice(5, 9).map((line) => line.split(/ {2,}/).map((cell) => cell.trim())),
      [
        ['', 'STEP', 'STATE', 'STARTED', 'TOOK', 'MESSAGE'],
        ['1', 'Send started notification', 'done', '2030-01-01T12:00:00Z', '0s'],
        ['2', 'Pre-upgrade health check', 'running', '2030-01-01T12:00:00Z', '10m', 'critical alert(s) firing: EtcdDown'],
        ['3', 'External dependency check', 'to come', '-', '-'],
      ],
    )
    assert.equal(lines.length, 6 + 14)
  })

  it('says what keeps the operator from going on rather than what the step said before', () => {
    const annotations = { ...running.metadata.annotations, 'windlass.dev/held-up-by': 'OCM Provider unavailable: it refuses connections' }
    const heldUp = { ...running, metadata: { ...running.metadata, annotations } }
    const [, , now] = timelineLines(timelineOf(heldUp), parseTime('2030-01-01T12:10:00Z') ?? 0)
    assert.equal(now, 'Now:   OCM Provider unavailable: it refuses connections')
  })

  it('is empty for one that nobody has looked at yet', () => {
    const { status: _, ...fresh } = running
    const timeline = timelineOf(fresh)
    assert.equal(timeline.phase, 'New')
    assert.ok(timeline.steps.every(({ state }) => state === 'to come'))
  })
})
