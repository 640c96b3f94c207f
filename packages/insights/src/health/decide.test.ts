import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UpdateHealthInsight } from '@windlass/api'
import * as fixtures from '@windlass/api/fixtures'
import { describePlan, start, statusIn, stored } from '../testing/index.ts'
import { decideHealth } from './decide.ts'
import { healthInsightName, type Manager, type Observation } from './index.ts'
import { subjectKeys } from './managers.ts'

const owner = fixtures.aNodeProgressInsight({ name: 'worker-a' })
const reference = 'https://example.com/what-to-do'
const observation: Observation = {
  scope: 'WorkerPool',
  resources: [{ resource: 'nodes', name: 'worker-a' }],
  level: 'Error',
  impact: 'Update Stalled',
  summary: 'Node worker-a is degraded',
  description: 'disk full',
  reference,
  since: start,
}
const name = 'node-4ce4q7pnskio6kydtqzlsvustq'
const decided = (observations: readonly Observation[], existing: readonly UpdateHealthInsight[] = [], now = start) =>
  decideHealth({ manager: 'node', owner, existing }, observations, now)
const [whole = assert.fail()] = stored(decided([observation]), UpdateHealthInsight)

describe('the name of a health insight', () => {
  for (const [manager, summary, resource, expected] of [
    [
      'clusterversion',
      'Forced health insight for ClusterVersion version',
      { group: 'config.openshift.io', resource: 'clusterversions', name: 'version' },
      'cv-2je242kecfijbtqaqac5jjmtti',
    ],
    [
      'clusteroperator',
      'Cluster Operator etcd is degraded (EtcdMembers_UnhealthyMembers)',
      { group: 'config.openshift.io', resource: 'clusteroperators', name: 'etcd' },
      'co-lnkkhdob6dc64yg3i5llny5s54',
    ],
    ['node', 'Node worker-a is degraded', { resource: 'nodes', name: 'worker-a' }, name],
    [
      'machineconfigpool',
      "Outdated nodes in a paused pool 'worker' will not be updated",
      { group: 'machineconfiguration.openshift.io', resource: 'machineconfigpools', name: 'worker' },
      'mcp-kbedjles4lngaroespjzpvox4a',
    ],
  ] satisfies [Manager, string, Observation['resources'][number], string][]) {
    it(`is ${expected} for: ${summary}`, () => assert.equal(healthInsightName(manager, summary, [resource]), expected))
  }
})

describe('health insights', () => {
  it('are created with their status, labels and owner', () => {
    assert.deepEqual(describePlan(decided([observation])), [`create UpdateHealthInsight ${name}`, `status UpdateHealthInsight ${name}`])
    assert.equal(whole.metadata.ownerReferences?.[0]?.uid, owner.metadata.uid)
    assert.deepEqual(whole.status?.scope, { type: 'WorkerPool', resources: [{ resource: 'nodes', name: 'worker-a' }] })
  })

  it('wait for their owner to be there', () => {
    assert.deepEqual(decideHealth({ manager: 'node', owner: undefined, existing: [] }, [observation], start).actions, [])
  })

  it('are left alone when they say it already, some seconds more or less', () => {
    assert.deepEqual(decided([observation], [whole]).actions, [])
    assert.deepEqual(decided([{ ...observation, since: start + 29_000 }], [whole]).actions, [])
    assert.deepEqual(describePlan(decided([{ ...observation, since: start + 30_000 }], [whole])), [`status UpdateHealthInsight ${name}`])
  })

  it('become worse under the same name', () => {
    const worse = statusIn(decided([{ ...observation, level: 'Critical', description: 'all disks' }], [whole]), UpdateHealthInsight)
    assert.deepEqual([worse?.impact.level, worse?.impact.description], ['Critical', 'all disks'])
  })

  it('go their own way: each in a branch of the plan', () => {
    const other = { ...observation, summary: 'Node worker-a is not ready' }
    const stale = { ...whole, metadata: { ...whole.metadata, name: 'node-stale' } }
    const branches = decided([observation, other], [stale]).actions.map(({ branch }) => branch)
    assert.equal(new Set(branches).size, 3)
    assert.ok(!branches.includes(undefined))
  })

  it('remember when they were first seen where nobody else knows', () => {
    const unknown = { ...observation, since: undefined }
    const [first = assert.fail()] = stored(decided([unknown]), UpdateHealthInsight)
    assert.equal(first.status?.startedAt, '2025-06-27T12:00:00Z')
    assert.deepEqual(decided([unknown], [first], start + 3600_000).actions, [])
  })

  it('T69 of another manager are none of ours', () => {
    assert.deepEqual(subjectKeys(whole), ['node/worker-a'])
    const foreign = { ...whole, metadata: { ...whole.metadata, labels: { 'insight-manager': 'somebody' } } }
    assert.deepEqual(subjectKeys(foreign), [])
  })

  it("T71 with upstream's label alone are ours: they are adopted, or deleted", () => {
    const labels = { 'oue.openshift.muller.dev/update-health-insight-manager': 'node' }
    const { ownerReferences: _, ...metadata } = whole.metadata
    const upstreams: UpdateHealthInsight = { ...whole, metadata: { ...metadata, labels } }
    assert.deepEqual(subjectKeys(upstreams), ['node/worker-a'])
    const [adopted = assert.fail()] = stored(decided([observation], [upstreams]), UpdateHealthInsight, [upstreams])
    assert.deepEqual([adopted.metadata.labels, adopted.metadata.ownerReferences], [whole.metadata.labels, whole.metadata.ownerReferences])
    assert.deepEqual(describePlan(decided([], [upstreams])), [`delete UpdateHealthInsight ${name}`])
  })

  it('of an owner that is there no more get the one that took its place', () => {
    const { ownerReferences: [reference = assert.fail()] = [] } = whole.metadata
    const orphan = { ...whole, metadata: { ...whole.metadata, ownerReferences: [{ ...reference, uid: 'gone' }] } }
    const [adopted = assert.fail()] = stored(decided([observation], [orphan]), UpdateHealthInsight, [orphan])
    assert.deepEqual(adopted.metadata.ownerReferences, whole.metadata.ownerReferences)
  })

  it('that name nothing stand for themselves, so that somebody looks at them and lets them go', () => {
    const { status: _, ...rest } = whole
    const { ownerReferences: _owners, ...metadata } = rest.metadata
    assert.deepEqual(subjectKeys({ ...rest, metadata }), [`node/${name}`])
  })

  it('that are being deleted are not written to', () => {
    const going = { ...whole, metadata: { ...whole.metadata, deletionTimestamp: '2025-06-27T12:00:00Z' } }
    assert.deepEqual(decided([{ ...observation, level: 'Critical' }], [going]).actions, [])
  })

  it('are cut to what the API takes', () => {
    const long = { ...observation, summary: 's'.repeat(300), description: 'd'.repeat(5000) }
    const status = statusIn(decided([long]), UpdateHealthInsight)
    assert.equal(status?.impact.summary, `${'s'.repeat(253)}...`)
    assert.equal(status.impact.description?.length, 4096)
    const resources = Array.from({ length: 200 }, (_, index) => ({ resource: 'nodes', name: `n-${index}` }))
    assert.equal(statusIn(decided([{ ...observation, resources }]), UpdateHealthInsight)?.scope.resources?.length, 128)
  })
})
