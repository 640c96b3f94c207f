import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Node, PodSpec } from '@windlass/api'
import { aCondition, aNode, aPod } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { place } from './decide.ts'

const podOf = (spec: Partial<PodSpec> = {}, name = 'a') => aPod({ name, node: '', spec })
const look = (nodes: readonly Node[], spec: Partial<PodSpec> = {}, siblings: Readonly<Record<string, number>> = {}, name = 'a') =>
  place({ pod: podOf(spec, name), nodes, siblingsOn: new Map(Object.entries(siblings)) }, 'virtual-node')
const [n1, n2, n3] = [aNode({ name: 'n1' }), aNode({ name: 'n2' }), aNode({ name: 'n3' })]
const cordoned = aNode({
  name: 'cordoned',
  spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
})
const tainted = aNode({ name: 'tainted', spec: { taints: [{ key: 'role', value: 'infra', effect: 'NoSchedule' }] } })
const unready = aNode({ name: 'unready', status: { conditions: [aCondition('Ready', 'False')] } })

describe('a Pod', () => {
  it('runs on the virtual node while there are no others', () => assert.deepEqual(look([]), { node: 'virtual-node' }))

  it('goes to a node that takes it', () => {
    assert.deepEqual(look([cordoned, tainted, unready, n2]), { node: 'n2' })
    assert.deepEqual(look([tainted], { tolerations: [{ key: 'role', operator: 'Equal', value: 'infra' }] }), { node: 'tainted' })
    assert.deepEqual(look([cordoned, tainted], { tolerations: [{ operator: 'Exists' }] }, { tainted: 1 }), { node: 'cordoned' })
    assert.deepEqual(look([aNode({ name: 'soft', spec: { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] } })]), { node: 'soft' })
  })

  it('goes where it requires to be', () => {
    assert.deepEqual(look([n1, n2, n3], { nodeSelector: { 'kubernetes.io/hostname': 'n3' } }), { node: 'n3' })
    const requiredDuringSchedulingIgnoredDuringExecution = {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n1', 'n3'] }] }],
    }
    assert.deepEqual(look([n1, n2, n3], { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } }), { node: 'n2' })
  })

  it('keeps away from its siblings', () => assert.deepEqual(look([n1, n2, n3], {}, { n1: 1, n3: 2 }), { node: 'n2' }))

  it('goes to the same node every time, and others to others', () => {
    const nodes = [n1, n2, n3]
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.shuffledSubarray(nodes, { minLength: 3 }), (name, shuffled) =>
        assert.deepEqual(look(shuffled, {}, {}, name), look(nodes, {}, {}, name)),
      ),
    )
    const chosen = new Set(Array.from({ length: 50 }, (_, number) => JSON.stringify(look(nodes, {}, {}, `pod-${number}`))))
    assert.equal(chosen.size, 3)
  })

  it('that no node takes is told why', () => {
    assert.deepEqual(
      look([cordoned, tainted, unready, n1], { nodeSelector: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/hostname': 'n9' } }),
      {
        unschedulable: "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.",
      },
    )
    assert.deepEqual(look([cordoned, tainted, unready]), {
      unschedulable: '0/3 nodes are available: 1 node(s) were not ready, 1 node(s) were unschedulable, 1 node(s) had untolerated taints.',
    })
  })
})
