import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { capi } from '@windlass/api'
import { aCapiMachine, aCapiMachineSet } from '@windlass/api/fixtures'
import type { Plan } from '@windlass/kube'
import { Annotation, machineFinalizer } from '../wire.ts'
import { decide, missingOf } from './decide.ts'

const now = Date.UTC(2026, 0, 1)
const set = aCapiMachineSet({ metadata: { name: 'workers', namespace: 'clusters-prod', uid: 'set' }, spec: { replicas: 2 } })
const time = '2026-01-01T00:00:00Z'
const healthy = [
  { type: 'NodeHealthy', status: 'True' as const, lastTransitionTime: time },
  { type: 'Ready', status: 'True' as const, lastTransitionTime: time },
]

function aMachine(
  name: string,
  more: { born?: string; isHealthy?: boolean; isGoing?: boolean; annotations?: Readonly<Record<string, string>> } = {},
): capi.Machine {
  const { born = '2026-01-01T00:00:00Z', isHealthy = true, isGoing = false, annotations = {} } = more
  const machine = aCapiMachine({ name, status: { conditions: isHealthy ? healthy : [] } })
  const going = isGoing ? { deletionTimestamp: time } : {}
  return {
    ...machine,
    metadata: { ...machine.metadata, labels: { ...set.spec.template?.metadata?.labels }, creationTimestamp: born, annotations, ...going },
  }
}

const look = (machines: readonly capi.Machine[], names: readonly string[] = [], of = set): Plan =>
  decide({ set: of, machines, names, missingTemplate: undefined }, now)
const deleted = ({ actions }: Plan): readonly string[] =>
  actions.flatMap((action) => (action.do === 'delete' ? [action.object.metadata.name ?? ''] : []))

describe('a simulated MachineSet', () => {
  it('makes the machines that it lacks, held until they are taken down in order', () => {
    assert.equal(missingOf(set, []), 2)
    const { actions } = look([], ['a', 'b'])
    const made = actions.flatMap((action) => (action.do === 'create' ? [action.object] : []))
    assert.deepEqual(
      made.map(({ metadata }) => [metadata.name, metadata.finalizers, metadata.ownerReferences?.[0]?.uid]),
      [
        ['a', [machineFinalizer], 'set'],
        ['b', [machineFinalizer], 'set'],
      ],
    )
  })

  it('makes none in the place of one that is still being deleted', () => {
    assert.equal(missingOf(set, [aMachine('a'), aMachine('b', { isGoing: true })]), 0)
  })

  it('deletes those that are marked first, then those that do not work, then the newest', () => {
    const machines = [
      aMachine('old', { born: '2025-01-01T00:00:00Z' }),
      aMachine('new', { born: '2026-01-01T00:00:00Z' }),
      aMachine('broken', { born: '2024-01-01T00:00:00Z', isHealthy: false }),
      aMachine('marked', { born: '2023-01-01T00:00:00Z', annotations: { [Annotation.deleteMachine]: '' } }),
    ]
    const sized = (replicas: number) => ({ ...set, spec: { ...set.spec, replicas } })
    assert.deepEqual(deleted(look(machines, [], sized(3))), ['marked'])
    assert.deepEqual(deleted(look(machines, [], sized(2))), ['marked', 'broken'])
    assert.deepEqual(deleted(look(machines, [], sized(1))), ['marked', 'broken', 'new'])
    assert.deepEqual(
      deleted(look([...machines, aMachine('going', { isGoing: true })], [], sized(4))),
      [],
      'what is going counts for nothing',
    )
  })

  it('counts what is there, what works, and what it has only just made', () => {
    const { actions } = look([aMachine('a'), aMachine('b', { isGoing: true })], ['c'])
    const said = actions.flatMap((action) => (action.do === 'status' ? [action.status as NonNullable<capi.MachineSet['status']>] : []))[0]
    assert.deepEqual([said?.replicas, said?.readyReplicas, said?.availableReplicas], [3, 1, 1])
  })

  it('does nothing while it is paused, and makes nothing from a template that is not there', () => {
    const paused = { ...set, metadata: { ...set.metadata, annotations: { [Annotation.paused]: 'true' } } }
    assert.deepEqual(look([], ['a'], paused).actions, [])
    const { actions, waitingFor } = decide({ set, machines: [], names: ['a'], missingTemplate: 'the template is not there' }, now)
    assert.deepEqual([actions.map((action) => action.do), waitingFor], [['status'], 'the template is not there'])
  })
})
