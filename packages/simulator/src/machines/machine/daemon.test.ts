import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Node } from '@windlass/api'
import { aNode } from '@windlass/api/fixtures'
import { machineSettings } from '../settings.ts'
import { NodeAnnotation } from '../wire.ts'
import { daemonStep, isRestarting } from './daemon.ts'

const now = Date.UTC(2026, 0, 1)
const settings = machineSettings({
  seed: 1,
  durations: { apply: { median: 20_000, spread: 0 } },
  connect: () => Promise.reject(new Error('nobody connects')),
  fetchIgnition: () => Promise.reject(new Error('nobody answers')),
})

type Says = Partial<Record<keyof typeof NodeAnnotation, string>>

function nodeThat(says: Says): Node {
  const annotations = Object.fromEntries(
    Object.entries(says).map(([key, text]) => [NodeAnnotation[key as keyof typeof NodeAnnotation], text]),
  )
  const node = aNode()
  return { ...node, metadata: { ...node.metadata, annotations } }
}

/** What the daemon writes, with short names. */
function says(node: Node, at = now, hasDaemon = true): Readonly<Record<string, unknown>> | undefined {
  const { patch } = daemonStep(node, hasDaemon, [], settings, at)
  const { annotations } = (patch?.['metadata'] ?? {}) as { annotations?: Readonly<Record<string, string>> }
  if (annotations === undefined) return undefined
  return Object.fromEntries(Object.entries(annotations).map(([key, text]) => [key.replace(/^.*\//, ''), text]))
}

describe('the daemon that upgrades a node in place', () => {
  it('asks for a drain, restarts the node when it is drained, and asks for it to be opened when it is back', () => {
    const asked = { desiredConfig: 'b', disk: 'a' }
    assert.deepEqual(says(nodeThat(asked)), { state: 'Working', reason: '', desiredDrain: 'drain-b' })
    const draining = { ...asked, state: 'Working', desiredDrain: 'drain-b' }
    assert.equal(says(nodeThat(draining)), undefined)
    const drained = { ...draining, lastAppliedDrain: 'drain-b' }
    assert.deepEqual(says(nodeThat(drained)), { state: 'Rebooting', reason: '', config: 'b', since: '2026-01-01T00:00:00.000Z' })
    const restarting = { ...drained, state: 'Rebooting', disk: 'b', since: '2026-01-01T00:00:00.000Z' }
    assert.ok(isRestarting(nodeThat(restarting)))
    assert.deepEqual(daemonStep(nodeThat(restarting), true, [], settings, now + 19_999), { at: now + 20_000 })
    assert.equal(daemonStep(nodeThat(restarting), true, [], settings, now + 20_000).restartedTo, 'b')
    assert.deepEqual(says(nodeThat(restarting), now + 20_000), { state: 'Working' })
    const back = { ...restarting, state: 'Working' }
    const done = { state: 'Done', reason: '', currentConfig: 'b', desiredDrain: 'uncordon-b' }
    assert.deepEqual(says(nodeThat(back)), done)
    assert.equal(says(nodeThat({ ...back, ...done })), undefined)
    assert.equal(says(nodeThat({ ...back, ...done, lastAppliedDrain: 'uncordon-b' })), undefined)
  })

  it('does nothing where it does not run, and nothing more when it is done', () => {
    assert.equal(says(nodeThat({ desiredConfig: 'b', disk: 'a' }), now, false), undefined)
    assert.equal(says(nodeThat({ desiredConfig: 'b', currentConfig: 'b', state: 'Done', disk: 'b' })), undefined)
    assert.equal(says(nodeThat({})), undefined)
  })

  it('leaves a node as it is that says it is where it should be, and looks at its disk when it does not say so', () => {
    const calledBack = { desiredConfig: 'a', state: 'Working', desiredDrain: 'drain-b', lastAppliedDrain: 'drain-b', disk: 'a' }
    assert.equal(says(nodeThat({ ...calledBack, currentConfig: 'a' })), undefined)
    assert.deepEqual(says(nodeThat(calledBack)), { state: 'Done', reason: '', currentConfig: 'a', desiredDrain: 'uncordon-a' })
    assert.deepEqual(says(nodeThat({ ...calledBack, disk: 'b' })), { state: 'Working', reason: '', desiredDrain: 'drain-a' })
  })

  it('comes up with what was written to the disk, whatever is asked while it restarts', () => {
    const restarting = { desiredConfig: 'a', currentConfig: 'a', state: 'Rebooting', disk: 'b', since: '2026-01-01T00:00:00.000Z' }
    assert.ok(isRestarting(nodeThat(restarting)))
    assert.deepEqual(daemonStep(nodeThat(restarting), true, [], settings, now + 19_999), { at: now + 20_000 })
    assert.equal(daemonStep(nodeThat(restarting), true, [], settings, now + 20_000).restartedTo, 'b')
  })

  it('fails when it is told to, and says why', () => {
    const { patch } = daemonStep(nodeThat({ desiredConfig: 'b' }), true, [{ mode: 'mcd-degraded', reason: 'DiskFull' }], settings, now)
    assert.deepEqual(patch, { metadata: { annotations: { [NodeAnnotation.state]: 'Degraded', [NodeAnnotation.reason]: 'DiskFull' } } })
    assert.deepEqual(daemonStep(nodeThat({ desiredConfig: 'b' }), true, [{ mode: 'mcd-stuck' }], settings, now), {})
  })
})
