import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Node } from '@windlass/api'
import { aMachineConfigPool, aNode } from '@windlass/api/fixtures'
import { candidates, mostAway } from './candidates.ts'
import { poolOf } from './membership.ts'
import { nodeAnnotations } from './names.ts'

interface Given {
  readonly zone?: string
  readonly created?: string
  readonly current?: string
  readonly desired?: string
  readonly state?: string
  readonly isReady?: boolean
}

function node(
  name: string,
  { zone, created = '2026-01-01T00:00:00Z', current = 'C1', desired = current, state = 'Done', isReady = true }: Given = {},
): Node {
  const { currentConfig, desiredConfig, state: stateKey } = nodeAnnotations
  return aNode({
    name,
    metadata: {
      name,
      creationTimestamp: created,
      labels: { 'node-role.kubernetes.io/worker': '', ...(zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone }) },
      annotations: { [currentConfig]: current, [desiredConfig]: desired, [stateKey]: state },
    },
    spec: {},
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  })
}

const names = (nodes: readonly Node[]): readonly (string | undefined)[] => nodes.map(({ metadata }) => metadata.name)
const pool = (maxUnavailable?: number | string) => aMachineConfigPool(maxUnavailable === undefined ? {} : { spec: { maxUnavailable } })

describe('nodes that may be away', () => {
  it('are one unless told, and a part is rounded down to one at least', () => {
    assert.equal(mostAway(pool(), 10), 1)
    assert.equal(mostAway(pool(3), 10), 3)
    assert.equal(mostAway(pool('25%'), 10), 2)
    assert.equal(mostAway(pool('10%'), 5), 1)
    assert.equal(mostAway(pool(0), 5), 1)
  })
})

describe('the next nodes of a pool', () => {
  it('are taken by zone, then by age, and those without a zone last', () => {
    const members = [
      node('d'),
      node('c', { zone: 'z2' }),
      node('b', { zone: 'z1' }),
      node('a', { zone: 'z1', created: '2026-01-02T00:00:00Z' }),
    ]
    assert.deepEqual(names(candidates(pool(4), members, 'C2')), ['b', 'a', 'c', 'd'])
  })

  it('are as many as there is room for besides those that are away and those that failed', () => {
    const away = node('away', { isReady: false })
    const working = node('working', { desired: 'C2', state: 'Working' })
    const failed = node('failed', { desired: 'C2', state: 'Degraded' })
    const members = [away, working, failed, node('a'), node('b')]
    assert.deepEqual(names(candidates(pool(3), members, 'C2')), [])
    assert.deepEqual(names(candidates(pool(4), members, 'C2')), ['a'])
  })

  it('are none when the pool is paused, or when all have the config', () => {
    assert.deepEqual(candidates(aMachineConfigPool({ spec: { paused: true } }), [node('a')], 'C2'), [])
    assert.deepEqual(candidates(pool(), [node('a', { current: 'C2' })], 'C2'), [])
  })
})

describe('the pool of a node', () => {
  const select = (name: string) =>
    aMachineConfigPool({ name, spec: { nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } } } })
  const pools = ['worker', 'master', 'zinfra', 'infra'].map(select)
  const labelled = (...roles: readonly string[]) =>
    aNode({ metadata: { name: 'n', labels: Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ''])) } })

  it('T92 is master before all others', () => assert.equal(poolOf(labelled('master', 'infra'), pools)?.metadata.name, 'master'))
  it("T93 is one of the user's own before worker", () => assert.equal(poolOf(labelled('worker', 'infra'), pools)?.metadata.name, 'infra'))
  it('is the first of several of those', () => assert.equal(poolOf(labelled('worker', 'zinfra', 'infra'), pools)?.metadata.name, 'infra'))
  it('is none when none selects it', () => assert.equal(poolOf(labelled('other'), pools), undefined))
})
