import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DaemonSet, type Node, type Pod, type Taint } from '@windlass/api'
import { aDaemonSet, aNode } from '@windlass/api/fixtures'
import { revisionLabel, templateHash } from '../revision.ts'
import { deedsOf, noon, podNamed, type PodOptions, statusIn, templateOf } from '../testing/index.ts'
import { decide } from './decide.ts'

const template = templateOf('dns', 'example.com/dns:2')
const setOf = (spec: Partial<DaemonSet['spec']> = {}): DaemonSet =>
  aDaemonSet({ name: 'dns', namespace: 'clusters-prod', spec: { template, ...spec } })
const node = (name: string, taints: readonly Taint[] = [], isCordoned = false): Node =>
  aNode({ name, spec: { taints, unschedulable: isCordoned } })
const pod = (name: string, on: string, options: PodOptions & { readonly isOld?: boolean } = {}): Pod =>
  podNamed(name, {
    owner: setOf(),
    node: on,
    labels: { [revisionLabel]: options.isOld === true ? 'old' : templateHash(template) },
    ...options,
  })
const look = (set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[]) => decide({ set, nodes, pods }, noon)
const makes = (set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[]): readonly unknown[] =>
  look(set, nodes, pods).actions.flatMap((action) =>
    action.do === 'create' ? [JSON.parse(JSON.stringify(action.object)).spec.nodeName] : [],
  )

const three = [node('n1'), node('n2'), node('n3')]
const old = { isOld: true }

describe('a DaemonSet', () => {
  it('has nothing to do while there are no Nodes', () => {
    const plan = look(setOf(), [], [])
    assert.deepEqual(deedsOf(plan), [])
    assert.deepEqual(statusIn(plan, DaemonSet), {
      observedGeneration: 1,
      desiredNumberScheduled: 0,
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
    })
  })

  it('makes a Pod on each node that has none, on that node', () => {
    assert.deepEqual(makes(setOf(), three, [pod('a', 'n2')]), ['n1', 'n3'])
    assert.deepEqual(statusIn(look(setOf(), three, [pod('a', 'n2')]), DaemonSet), {
      observedGeneration: 1,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: 1,
      updatedNumberScheduled: 3,
      numberAvailable: 1,
      numberUnavailable: 2,
    })
  })

  it('waits until the Pod before is gone', () => {
    assert.deepEqual(makes(setOf(), three, [pod('a', 'n1', { isTerminating: true }), pod('b', 'n2')]), ['n3'])
  })

  it('goes where its Pods are meant to be, cordoned or not', () => {
    const selective = setOf({ template: { ...template, spec: { ...template.spec, nodeSelector: { 'kubernetes.io/hostname': 'n2' } } } })
    assert.deepEqual(makes(selective, three, []), ['n2'])
    assert.deepEqual(makes(setOf(), [node('n1', [{ key: 'special', effect: 'NoSchedule' }]), node('n2', [], true)], []), ['n2'])
  })

  it('leaves Pods where a taint came later, unless it drives them away', () => {
    const tainted = (effect: Taint['effect']) => [node('n1', [{ key: 'special', effect }])]
    assert.deepEqual(deedsOf(look(setOf(), tainted('NoSchedule'), [pod('a', 'n1')])), [])
    assert.equal(statusIn(look(setOf(), tainted('NoSchedule'), [pod('a', 'n1')]), DaemonSet)?.numberMisscheduled, 1)
    assert.deepEqual(deedsOf(look(setOf(), tainted('NoExecute'), [pod('a', 'n1')])), ['delete Pod a'])
  })

  it('removes Pods that have ended, second ones, and those whose node is gone', () => {
    const pods = [pod('a', 'n1'), pod('b', 'n1'), pod('c', 'n2', { is: 'failed' }), pod('d', 'gone')]
    assert.deepEqual(
      deedsOf(look(setOf(), three.slice(0, 2), pods)).filter((deed) => deed.startsWith('delete')),
      ['delete Pod b', 'delete Pod c', 'delete Pod d within 0 s'],
    )
  })

  it('brings Pods to a new template as many at a time as may be away', () => {
    const pods = [pod('a', 'n1', old), pod('b', 'n2', old), pod('c', 'n3', old)]
    assert.deepEqual(deedsOf(look(setOf(), three, pods)), ['delete Pod a'])
    assert.deepEqual(deedsOf(look(setOf(), three, [pod('d', 'n1', { is: 'running' }), ...pods.slice(1)])), [])
    const two = setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } } })
    assert.deepEqual(deedsOf(look(two, three, pods)), ['delete Pod a', 'delete Pod b'])
    assert.deepEqual(deedsOf(look(setOf({ updateStrategy: { type: 'OnDelete' } }), three, pods)), [])
  })

  it('replaces old Pods that do not work without asking', () => {
    assert.deepEqual(
      deedsOf(
        look(setOf(), three, [pod('a', 'n1', { ...old, is: 'running' }), pod('b', 'n2', { ...old, is: 'running' }), pod('c', 'n3', old)]),
      ),
      ['delete Pod a', 'delete Pod b'],
    )
  })

  it('makes the new Pod first where none may be away', () => {
    const surging = setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })
    const pods = [pod('a', 'n1', old), pod('b', 'n2', old)]
    const nodes = three.slice(0, 2)
    assert.deepEqual(makes(surging, nodes, pods), ['n1'])
    assert.deepEqual(deedsOf(look(surging, nodes, [...pods, pod('d', 'n1', { is: 'running' })])), [])
    assert.deepEqual(deedsOf(look(surging, nodes, [...pods, pod('d', 'n1')])), ['delete Pod a'])
  })
})
