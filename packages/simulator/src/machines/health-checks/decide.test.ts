import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { capi } from '@windlass/api'
import { aCapiMachine, aMachineHealthCheck } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import type { Plan } from '@windlass/kube'
import { decide } from './decide.ts'

const now = Date.UTC(2026, 0, 1, 12)
const minutes = 60_000

const check = aMachineHealthCheck()

type Health = 'True' | 'False' | 'Unknown'

function aMachine(name: string, health: Health, since: number, more: Partial<capi.Machine['metadata']> = {}): capi.Machine {
  const conditions = [{ type: 'NodeHealthy', status: health, lastTransitionTime: formatTime(now - since) }]
  const machine = aCapiMachine({ name, status: { conditions, nodeRef: { kind: 'Node', name } } })
  return { ...machine, metadata: { ...machine.metadata, ...more } }
}

function unborn(name: string, age: number): capi.Machine {
  const { status: _, ...machine } = aCapiMachine({ name })
  return { ...machine, metadata: { ...machine.metadata, creationTimestamp: formatTime(now - age) } }
}

const look = (machines: readonly capi.Machine[], isCurrent = true): Plan => decide({ check, machines, isCurrent: () => isCurrent }, now)
const deleted = ({ actions }: Plan): readonly string[] =>
  actions.flatMap((action) => (action.do === 'delete' ? [action.object.metadata.name ?? ''] : []))
const well = [aMachine('a', 'True', 0), aMachine('b', 'True', 0)]

describe('a simulated MachineHealthCheck', () => {
  it('NP-59 deletes a machine whose node has not been well for eight minutes, and looks again when that is', () => {
    assert.deepEqual(deleted(look([...well, aMachine('c', 'Unknown', 7 * minutes)])), [])
    assert.equal(look([...well, aMachine('c', 'Unknown', 7 * minutes)]).requeueAfter, minutes)
    assert.deepEqual(deleted(look([...well, aMachine('c', 'Unknown', 8 * minutes)])), ['c'])
    assert.deepEqual(deleted(look([...well, aMachine('c', 'False', 8 * minutes)])), ['c'])
  })

  it('gives a machine that has not started twenty minutes', () => {
    assert.deepEqual(deleted(look([...well, unborn('c', 19 * minutes)])), [])
    assert.deepEqual(deleted(look([...well, unborn('c', 20 * minutes)])), ['c'])
  })

  it('NP-60 deletes none when too many are unwell, those that have not started among them, and says so', () => {
    const machines = [aMachine('a', 'Unknown', 9 * minutes), aMachine('b', 'Unknown', 9 * minutes), unborn('c', minutes)]
    const plan = look(machines)
    assert.deepEqual(deleted(plan), [])
    const [status] = plan.actions.flatMap((action) =>
      action.do === 'status' ? [action.status as NonNullable<capi.MachineHealthCheck['status']>] : [],
    )
    const allowed = status?.conditions?.find(({ type }) => type === 'RemediationAllowed')
    assert.deepEqual([allowed?.status, allowed?.reason, allowed?.severity], ['False', 'TooManyUnhealthy', 'Warning'])
    assert.match(allowed?.message ?? '', /total: 3, unhealthy: 3, maxUnhealthy: 2/)
  })

  it('leaves machines alone whose template is being left behind, and those that are going', () => {
    assert.deepEqual(deleted(look([...well, aMachine('c', 'Unknown', 9 * minutes)], false)), [])
    assert.deepEqual(deleted(look([...well, aMachine('c', 'Unknown', 9 * minutes, { deletionTimestamp: formatTime(now) })])), [])
  })
})
