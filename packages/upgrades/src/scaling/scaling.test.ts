import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { aMachine, aMachineSet, aNode } from '@windlass/api/fixtures'
import type { machineApi } from '@windlass/api'
import { at, aWorkerSet, minute, now } from '../testing/index.ts'
import { cloneName, cloneOf, decideScaleUp, extraNodeNames, MachineLabel, originalsOf, removeExtras, type ScaleUpView } from './index.ts'

const view = (parts: Partial<ScaleUpView>): ScaleUpView => ({
  machineSets: [],
  machines: [],
  nodes: [],
  extraPools: [],
  timeOut: 30 * minute,
  now,
  ...parts,
})

const clone = (name: string, status: machineApi.MachineSet['status'] = { replicas: 1, readyReplicas: 1 }, minutesAgo = 5) =>
  aMachineSet({
    name,
    metadata: { labels: { [MachineLabel.upgrade]: 'true' }, creationTimestamp: at(-minutesAgo) },
    ...(status === undefined ? {} : { status }),
  })

const machine = (
  of: string,
  status: NonNullable<machineApi.Machine['status']> = { phase: 'Running', nodeRef: { name: 'n' } },
  name = 'm',
) => aMachine({ name, metadata: { labels: { [MachineLabel.upgrade]: 'true', [MachineLabel.machineSet]: of } }, status })

describe('scaling up', () => {
  it('X01 makes a copy of each machine set of the workers', () => {
    const result = decideScaleUp(view({ machineSets: [aWorkerSet('a'), aWorkerSet('b'), aMachineSet({ name: 'infra' })] }))
    assert.ok(result.is === 'in progress')
    assert.deepEqual(
      result.creates.map(({ object }) => object.metadata.name),
      ['a-upgrade', 'b-upgrade'],
    )
    const [first] = result.creates
    assert.deepEqual(first?.object.metadata, {
      name: 'a-upgrade',
      namespace: 'openshift-machine-api',
      labels: { [MachineLabel.upgrade]: 'true' },
    })
    const marks = { 'machine.openshift.io/cluster-api-machineset': 'a-upgrade', 'upgrade.managed.openshift.io': 'true' }
    assert.equal(first?.object.spec.replicas, 1)
    assert.deepEqual(first?.object.spec.selector?.matchLabels, marks)
    assert.deepEqual(first?.object.spec.template?.metadata?.labels, marks)
    assert.deepEqual(first?.object.spec.template?.spec, aWorkerSet('a').spec.template?.spec)
  })

  it('X02 copies pools that a pattern names, and none twice', () => {
    const sets = [aWorkerSet('a'), aWorkerSet('n', 'non-serving-1'), aWorkerSet('other', 'other')]
    const names = (extraPools: readonly string[]) => originalsOf(sets, extraPools).map(({ metadata }) => metadata.name)
    assert.deepEqual(names(['non-serving-*']), ['a', 'n'])
    assert.deepEqual(names(['*']), ['a', 'n', 'other'])
    assert.deepEqual(originalsOf(sets.slice(1), ['non-serving-*']).length, 1)
    assert.deepEqual(decideScaleUp(view({ machineSets: sets.slice(2), extraPools: ['x'] })).is, 'impossible')
  })

  it('X03 is done when each copy has a node that is ready', () => {
    const sets = [aWorkerSet('a'), clone('a-upgrade')]
    assert.deepEqual(decideScaleUp(view({ machineSets: sets, machines: [machine('a-upgrade')], nodes: [aNode({ name: 'n' })] })), {
      is: 'done',
    })
  })

  const waiting: readonly [what: string, parts: Partial<ScaleUpView>][] = [
    ['a copy whose machine is not ready', { machineSets: [aWorkerSet('a'), clone('a-upgrade', { replicas: 1, readyReplicas: 0 })] }],
    ['a copy without a machine', { machineSets: [aWorkerSet('a'), clone('a-upgrade', { replicas: 0, readyReplicas: 0 })] }],
    ['no machine with both labels', { machines: [] }],
    ['two machines', { machines: [machine('a-upgrade'), machine('a-upgrade', undefined, 'o')] }],
    ['a machine that is no node yet', { machines: [machine('a-upgrade', { phase: 'Provisioned' })] }],
    ['a node that is missing', { nodes: [] }],
    ['a node that is not ready', { nodes: [aNode({ name: 'n', status: {} })] }],
  ]
  for (const [what, parts] of waiting) {
    it(`X04 Δ19 waits for ${what}, and times out`, () => {
      const all = {
        machineSets: [aWorkerSet('a'), clone('a-upgrade')],
        machines: [machine('a-upgrade')],
        nodes: [aNode({ name: 'n' })],
        ...parts,
      }
      assert.equal(decideScaleUp(view(all)).is, 'in progress')
      assert.equal(decideScaleUp(view({ ...all, now: now + 26 * minute })).is, 'timed out')
    })
  }

  it('X05 Δ19 copies a template without labels', () => {
    const bare = aMachineSet({ name: 'a', metadata: { labels: { [MachineLabel.pool]: 'worker' } }, spec: { selector: {}, template: {} } })
    const { spec } = cloneOf(bare)
    assert.deepEqual(spec.template?.metadata?.labels, spec.selector?.matchLabels)
    assert.equal(Object.keys(spec.selector?.matchLabels ?? {}).length, 2)
  })

  it('X06 Δ19 makes the copy that is missing', () => {
    const result = decideScaleUp(view({ machineSets: [aWorkerSet('a'), aWorkerSet('b'), clone('a-upgrade')] }))
    assert.ok(result.is === 'in progress')
    assert.deepEqual(
      result.creates.map(({ object }) => object.metadata.name),
      ['b-upgrade'],
    )
  })

  it('Δ19 keeps names short enough for a label, and apart from each other', () => {
    assert.equal(cloneName('a'.repeat(55)), `${'a'.repeat(55)}-upgrade`)
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,80}$/)
    fc.assert(
      fc.property(name, name, (a, b) => {
        assert.ok(cloneName(a).length <= 63)
        assert.ok(cloneName(a).endsWith('-upgrade'))
        assert.equal(cloneName(a) === cloneName(b), a === b)
      }),
    )
    assert.notEqual(cloneName(`${'a'.repeat(60)}1`), cloneName(`${'a'.repeat(60)}2`))
  })

  it('never copies a copy', () =>
    assert.deepEqual(
      originalsOf(
        [{ ...clone('a-upgrade'), metadata: { labels: { [MachineLabel.upgrade]: 'true', [MachineLabel.pool]: 'worker' } } }],
        ['*'],
      ),
      [],
    ))
})

describe('scaling down', () => {
  it('X07 X09 removes what is marked and not going already', () => {
    const going = { ...clone('b-upgrade'), metadata: { ...clone('b-upgrade').metadata, deletionTimestamp: at(-1) } }
    const effects = removeExtras([aWorkerSet('a'), clone('a-upgrade'), going])
    assert.deepEqual(
      effects.map((effect) => (effect.do === 'act' && effect.action.do === 'delete' ? effect.action.object.metadata.name : '')),
      ['a-upgrade'],
    )
  })

  it('Δ19 drains the nodes of machines that run or go', () => {
    const machines = [
      machine('x', { phase: 'Running', nodeRef: { name: 'a' } }),
      machine('x', { phase: 'Deleting', nodeRef: { name: 'b' } }),
      machine('x', { phase: 'Provisioned', nodeRef: { name: 'c' } }),
      machine('x', { phase: 'Running' }),
      machine('x', {}),
      aMachine(),
    ]
    assert.deepEqual([...extraNodeNames(machines)], ['a', 'b'])
  })
})
