import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi } from '@windlass/api'
import type { HostedCluster, NodePool } from '@windlass/api'
import { aCapiMachine, aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { failed, found } from '../../hosted-cluster/index.ts'
import { aNewPool, aWorld, noon, seenIn, type Told } from '../testing/index.ts'
import { aggregate } from './aggregate.ts'
import { chain, healthyConditions, judge, unhealthyConditions } from './index.ts'
import { platformRows } from './platform.ts'

type Conditions = NonNullable<NonNullable<capi.Machine['status']>['conditions']>

const condition = (type: string, status: 'True' | 'False', reason = '', message = '') => ({
  type,
  status,
  lastTransitionTime: '2026-03-06T12:00:00Z',
  ...(reason === '' ? {} : { reason }),
  ...(message === '' ? {} : { message }),
})
const machine = (name: string, conditions: Conditions, addresses: readonly string[] = []) =>
  aCapiMachine({ name, status: { conditions, addresses: addresses.map((address) => ({ type: 'InternalIP' as const, address })) } })

function judged(rows: typeof chain, pool: NodePool, told: Told = {}, cluster: HostedCluster = aHostedCluster()) {
  const { conditions } = judge(rows, seenIn(aWorld(pool, cluster), noon, told), [])
  return (type: string) => conditions.find((each) => each.type === type)
}

describe('problems of machines', () => {
  const problem = (name: string, reason: string, message = '') => ({ machine: name, reason, message })

  it('5.1 are grouped by reason and sorted', () => {
    assert.deepEqual(aggregate([problem('b', 'Slow', 'x'), problem('a', 'Slow'), problem('c', 'Gone')], 5, 'ready'), {
      reason: 'Gone,Slow',
      message: '3 of 5 machines are not ready\nMachine c: Gone\nMachine a: Slow\nMachine b: Slow: x\n',
    })
  })

  it('5.1 are cut where they would be too long', () => {
    const many = Array.from({ length: 200 }, (_, index) => problem(`machine-${index}`, 'Slow', 'it takes its time'))
    const one = aggregate(many, 200, 'ready').message
    assert.ok(one.length <= 1000 + 100 && one.endsWith('... too many similar errors\n'))
    const reasons = Array.from({ length: 9 }, (_, index) => many.map((each) => ({ ...each, reason: `Reason${index}` }))).flat()
    const all = aggregate(reasons, 200, 'ready').message
    assert.ok(all.length <= 3000 + 30 && all.endsWith('... message truncated\n'))
    const long = aggregate(
      Array.from({ length: 300 }, (_, index) => problem('a', `Reason${index}`)),
      1,
      'ready',
    ).reason
    assert.ok(long.length === 1024 && long.endsWith(',ReasonsTruncated'))
  })

  it('5.1 are told in the words of the provider, unless those are only a count', () => {
    const of = (...conditions: Conditions) =>
      judged(chain, aNewPool(), { machines: found([machine('a', conditions)]) })('AllMachinesReady')?.message?.split('\n')[1]
    const ready = condition('Ready', 'False', 'WaitingForNode', 'soon')
    assert.equal(of(), 'Machine a: WaitingForInfrastructure')
    assert.equal(of(ready), 'Machine a: WaitingForNode: soon')
    assert.equal(of(ready, condition('InfrastructureReady', 'False', 'NoCapacity', 'none left')), 'Machine a: NoCapacity: none left')
    assert.equal(of(ready, condition('InfrastructureReady', 'False', 'Creating', '1 of 2 completed')), 'Machine a: WaitingForNode: soon')
    assert.equal(of(condition('Ready', 'False', 'Creating', '1 of 2 completed')), 'Machine a: Creating')
  })

  it('5.1 of nodes are told apart from those of machines', () => {
    const say = judged(chain, aNewPool(), { machines: found([machine('a', [condition('Ready', 'True')])]) })
    assert.deepEqual([say('AllMachinesReady')?.message, say('AllNodesHealthy')?.reason], ['All is well', 'WaitingForNodeRef'])
    assert.equal(say('AllNodesHealthy')?.message, '1 of 1 machines are not healthy\nMachine a: WaitingForNodeRef\n')
  })

  it('5 are none when there are none, which is said', () => {
    assert.equal(judged(chain, aNewPool())('AllMachinesReady')?.message, 'No Machines are created')
  })
})

describe('addresses', () => {
  const conflict = (...machines: readonly capi.Machine[]) =>
    judged(chain, aNewPool(), { machines: found(machines) })('ClusterNetworkCIDRConflict')

  it('5 of machines that pods may have too are told', () => {
    assert.deepEqual(
      [conflict(machine('a', [], ['10.132.0.9']))?.status, conflict(machine('a', [], ['10.132.0.9']))?.message],
      ['True', 'machine [a] with ip [10.132.0.9] collides with cluster-network cidr [10.132.0.0/14]'],
    )
  })

  it('5 are no conflict when one is outside; those of the link do not count', () => {
    assert.equal(conflict(machine('a', [], ['10.132.0.9', '192.0.2.1'])), undefined)
    assert.equal(conflict(machine('a', [], ['fe80::1'])), undefined)
    assert.notEqual(conflict(machine('a', [], ['fe80::1', '10.132.0.9'])), undefined)
  })

  it('5 are told of a few machines only', () => {
    const many = Array.from({ length: 9 }, (_, index) => machine(`m-${index}`, [], ['10.132.0.9']))
    assert.match(conflict(...many)?.message ?? '', /, too many similar errors\.\.\.$/)
  })
})

describe('management', () => {
  const management = (spec: NodePool['spec']['management']) =>
    judged(chain, aNewPool({ spec: { management: spec } }))('UpdateManagementEnabled')

  it('5 must name a strategy', () => {
    assert.match(management({ upgradeType: 'Replace' })?.message ?? '', /a strategy: "RollingUpdate" or "OnDelete" are required$/)
    assert.match(
      management({ upgradeType: 'Replace', replace: {} })?.message ?? '',
      /only support strategies "OnDelete" and "RollingUpdate"$/,
    )
    assert.equal(management({ upgradeType: 'InPlace' })?.status, 'True')
  })

  it('5 scales from zero where machines can be made from nothing', () => {
    const scaling = (platform: NodePool['spec']['platform']) => {
      const { replicas: _, ...pool } = aNewPool().spec
      return judged(chain, { ...aNewPool(), spec: { ...pool, platform, autoScaling: { min: 0, max: 3 } } })('AutoscalingEnabled')
    }
    assert.equal(scaling({ type: 'KubeVirt' })?.message, 'Autoscaling from zero (min=0) is not supported for KubeVirt platform')
    assert.equal(scaling({ type: 'AWS' })?.status, 'True')
  })
})

describe('platforms', () => {
  const aws = (change: object = {}): NodePool =>
    aNewPool({ spec: { platform: { type: 'AWS', aws: { instanceType: 'm6i.large', subnet: { id: 'subnet-1' }, ...change } } } })

  it('5 AWS knows whether there is a security group, and whose tags win', () => {
    const cluster = aHostedCluster()
    const tagged: HostedCluster = {
      ...cluster,
      spec: {
        ...cluster.spec,
        platform: {
          type: 'AWS',
          aws: {
            resourceTags: [
              { key: 'team', value: 'b' },
              { key: 'free', value: 'b', overridePolicy: 'Allow' },
            ],
          },
        } as unknown as HostedCluster['spec']['platform'],
      },
    }
    const say = judged(
      platformRows,
      aws({
        resourceTags: [
          { key: 'team', value: 'a' },
          { key: 'free', value: 'a' },
        ],
      }),
      {},
      tagged,
    )
    assert.equal(say('AWSSecurityGroupAvailable')?.reason, 'DefaultSGNotReady')
    assert.deepEqual([say('AWSResourceTagConflict')?.status, say('AWSResourceTagConflict')?.reason], ['True', 'TagConflictDetected'])
    assert.match(say('AWSResourceTagConflict')?.message ?? '', /: team$/)
    assert.equal(judged(platformRows, aws())('AWSResourceTagConflict')?.reason, 'NoTagConflict')
    assert.equal(judged(platformRows, aNewPool())('AWSResourceTagConflict'), undefined)
  })

  it('5 names the image that machines start from, and nothing when the pool brings its own', () => {
    assert.equal(judged(platformRows, aws(), { bootImage: found('ami-1') })('ValidPlatformImage')?.message, 'Bootstrap AMI is "ami-1"')
    assert.equal(judged(platformRows, aws(), { bootImage: undefined })('ValidPlatformImage'), undefined)
    assert.equal(judged(platformRows, aws(), { bootImage: failed('none') })('ValidPlatformImage')?.status, 'False')
  })

  it('5 old control planes do not know capacity that was reserved', () => {
    const pool = aws({ placement: { capacityReservation: { id: 'cr-0123456789abcdef0' } } })
    assert.equal(judged(chain, pool, {}, aHostedCluster({ release: '4.18.0' }))('ValidPlatformConfig'), undefined)
    const low = aNodePool({ release: '4.18.0', spec: pool.spec })
    const say = judged(
      chain,
      { ...low, spec: { ...low.spec, release: { image: 'example.com/ocp/release:4.18.0-x86_64' } } },
      {},
      aHostedCluster({ release: '4.18.0' }),
    )
    assert.equal(say('ValidPlatformConfig')?.reason, 'AWSError')
  })

  it('5 KubeVirt says which machines cannot be moved', () => {
    const platformMachines = [
      { name: 'a', conditions: [condition('VMLiveMigratable', 'False', 'NoSharedDisk', 'the disk is local')] },
      { name: 'b', conditions: [condition('VMLiveMigratable', 'True')] },
    ]
    const say = judged(chain, aNewPool(), { platformMachines })('KubeVirtNodesLiveMigratable')
    assert.equal(say?.message, '1 of 2 machines are not live migratable\nMachine a: NoSharedDisk: the disk is local\n')
  })
})

describe('a healthy pool', () => {
  it('5 has these conditions, and a missing one is not healthy', () => {
    const pool = aNodePool()
    assert.equal(healthyConditions(pool)['AutorepairEnabled'], 'False')
    assert.equal(healthyConditions(pool)['ValidPlatformImage'], 'True')
    assert.ok(unhealthyConditions(pool).includes('ValidReleaseImage'))
    assert.ok(!unhealthyConditions(pool).includes('Ready'))
  })
})
