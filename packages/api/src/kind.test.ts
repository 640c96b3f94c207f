import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aClusterVersion, aHostedCluster, aNodePool } from './fixtures/index.ts'
import { capi, machineApi, NodePool } from './index.ts'
import type { HostedCluster, Kind, ObjectOf } from './index.ts'

/** Compiles only if each type can stand for the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false
const isSame = <A, B>(same: Same<A, B>): boolean => same

/** What a typed client will look like. */
function read<T extends NodePool>(kind: Kind<T>, object: T): T {
  assert.equal(kind.kind, object.kind)
  return object
}

describe('the type of a kind', () => {
  it('is that of its objects', () => {
    assert.ok(isSame<ObjectOf<typeof NodePool>, NodePool>(true))
    assert.ok(isSame<NodePool['apiVersion'], 'hypershift.openshift.io/v1beta1'>(true))
    assert.ok(isSame<NodePool['spec']['management']['upgradeType'], 'Replace' | 'InPlace'>(true))
    assert.equal(read(NodePool, aNodePool()).spec.replicas, 3)
  })

  it('has optional and nullable fields where the schema has them', () => {
    assert.ok(isSame<NodePool['spec']['replicas'], number | undefined>(true))
    type Entry = NonNullable<NonNullable<HostedCluster['status']>['version']>['history']
    assert.ok(isSame<NonNullable<Entry>[number]['completionTime'], string | null>(true))
    assert.equal(aClusterVersion().status?.availableUpdates, null)
  })

  it('is immutable all the way down', () => {
    const cluster = aHostedCluster()
    // @ts-expect-error a field cannot be assigned
    const write = (): string => (cluster.spec.release.image = 'x')
    // @ts-expect-error a list cannot be changed
    const push = (): unknown => cluster.spec.services.push
    assert.equal(typeof write, 'function')
    assert.equal(typeof push, 'function')
  })

  it('tells kinds of the same name apart by group', () => {
    assert.equal(capi.Machine.apiVersion, 'cluster.x-k8s.io/v1beta1')
    assert.equal(machineApi.Machine.apiVersion, 'machine.openshift.io/v1beta1')
    assert.ok(!isSame<capi.Machine, machineApi.Machine>(false))
  })
})
