import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HostedCluster, Secret } from '@windlass/api'
import { aCapiMachine, aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { noon, secretWith } from '../testing/index.ts'
import { Annotation } from '../wire.ts'
import { decideSecret } from './index.ts'

const home = 'clusters-prod'

describe('the janitor', () => {
  const cluster = aHostedCluster()
  const going: HostedCluster = { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: '2026-03-06T12:00:00Z' } }
  const pool = aNodePool()
  const annotations = { [Annotation.nodePool]: 'clusters/workers' }
  const token = secretWith('token-workers-a', home, { token: 'one' }, annotations)
  const userData = secretWith('user-data-workers-a', home, {}, annotations)
  const decide = (secret: Secret, told: Partial<Parameters<typeof decideSecret>[0]> = {}) =>
    decideSecret({ secret, pool, cluster, expectedHash: 'b', machineSets: [], machines: [], ...told }, noon).actions.map(
      (action) => action.do,
    )

  it('NP-66 deletes Secrets of a pool that is gone', () => {
    assert.deepEqual(decide(userData, { pool: undefined }), ['delete'])
    assert.deepEqual(decide(token, { pool: undefined }), ['delete'])
  })

  it('NP-66 only marks a token of a cluster that is going', () => {
    assert.deepEqual(decide(token, { cluster: going }), ['patch'])
    assert.deepEqual(decide(token, { cluster: undefined }), ['patch'])
    assert.deepEqual(decide(userData, { cluster: going }), ['delete'])
  })

  it('leaves Secrets alone that another one looks after', () => {
    const labels = { 'hypershift.openshift.io/managed-by-karpenter': 'true' }
    assert.deepEqual(decide({ ...token, metadata: { ...token.metadata, labels } }, { pool: undefined }), [])
    assert.deepEqual(decide(secretWith('pull-secret', home, {}, annotations), { pool: undefined }), [])
  })

  it('puts away what was wanted for a while and never completed, and nothing that is wanted', () => {
    assert.deepEqual([decide(token), decide(userData)], [['patch'], ['delete']])
    assert.deepEqual([decide(token, { expectedHash: 'a' }), decide(userData, { expectedHash: 'a' })], [[], []])
    const marked = { ...token, metadata: { ...token.metadata, annotations: { ...annotations, [Annotation.tokenExpires]: 'x' } } }
    assert.deepEqual(decide(marked), [])
  })

  it('marks a token only as it was seen: a mark that was not seen yet stays', () => {
    const seen = { ...token, metadata: { ...token.metadata, resourceVersion: '7' } }
    const [action] = decideSecret({ secret: seen, pool, cluster, expectedHash: 'b', machineSets: [], machines: [] }, noon).actions
    assert.equal(action?.do === 'patch' ? action.resourceVersion : undefined, '7')
  })

  it('throws nothing away when it does not know what is wanted, or a machine needs it', () => {
    assert.deepEqual(decide(userData, { expectedHash: undefined }), [])
    const machine = aCapiMachine({ spec: { bootstrap: { dataSecretName: 'user-data-workers-a' } } })
    assert.deepEqual(decide(userData, { machines: [machine] }), [])
  })
})
