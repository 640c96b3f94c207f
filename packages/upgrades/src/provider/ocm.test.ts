import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agentRoutes, isServiceLogAccepted, ocmRoutes, readCluster, readPolicyPage, routesFor } from './index.ts'

const agent = 'http://ocm-agent.openshift-ocm-agent-operator.svc.cluster.local:8081'
const found = { id: 'c', version: { id: '4.4.5', channel_group: 'fast' }, node_drain_grace_period: { value: 60, unit: 'minutes' } }

describe('the routes of OCM', () => {
  it('are looked up by the id that the cluster knows itself by', () => {
    assert.equal(ocmRoutes.cluster('0b-1'), "/api/clusters_mgmt/v1/clusters?search=external_id%20%3D%20'0b-1'&size=1")
    assert.equal(ocmRoutes.policies('c', 2), '/api/clusters_mgmt/v1/clusters/c/upgrade_policies?page=2&size=100')
    assert.equal(ocmRoutes.policyState('c', 'p'), '/api/clusters_mgmt/v1/clusters/c/upgrade_policies/p/state')
    assert.equal(ocmRoutes.serviceLogs(), '/api/service_logs/v1/cluster_logs')
  })

  it('Δ34 of the agent are its own, and those of OCM after a 404', () => {
    assert.deepEqual(routesFor(agent), [agentRoutes, ocmRoutes])
    assert.deepEqual(routesFor('https://api.openshift.com'), [ocmRoutes])
    assert.deepEqual(
      [agentRoutes.cluster('x'), agentRoutes.policies('x', 1), agentRoutes.policyState('x', 'p')],
      ['/', '/upgrade_policies', '/upgrade_policies/p/state'],
    )
  })

  it('Δ34 of service logs are missing on the agent, which counts as told', () => {
    assert.ok(isServiceLogAccepted(agent, 404))
    assert.ok(!isServiceLogAccepted('https://api.openshift.com', 404))
    assert.ok(!isServiceLogAccepted(agent, 500))
  })
})

describe('the answers of OCM', () => {
  it('O06 say so when they do not know the cluster', () => {
    for (const body of [
      { total: 0, items: [] },
      { total: 0 },
      { total: 1, items: [{ id: '' }] },
      { total: 2, items: [found, found] },
      {},
    ]) {
      const answer = readCluster(body, '0b-1')
      assert.ok(answer.is === 'not found' && answer.problem.includes('0b-1'), JSON.stringify(body))
    }
    assert.equal(readCluster('oops', '0b-1').is, 'unreadable')
  })

  it('Δ34 are a cluster in an envelope or without', () => {
    for (const body of [{ kind: 'ClusterList', total: 1, items: [found] }, found]) {
      assert.deepEqual(readCluster(body, '0b-1'), { is: 'found', cluster: found })
    }
  })

  it('Δ33 Δ34 are all pages of policies, or a bare list', () => {
    const items = [{ id: 'p', version: '4.4.6', next_run: '2030-01-01T12:00:00Z', capacity_reservation: false, kind: 'UpgradePolicy' }]
    const policies = [{ id: 'p', version: '4.4.6', next_run: '2030-01-01T12:00:00Z', capacity_reservation: false }]
    assert.deepEqual(readPolicyPage({ total: 101, items }, 1), { value: { policies, hasMore: true } })
    assert.deepEqual(readPolicyPage({ total: 101, items }, 2), { value: { policies, hasMore: false } })
    assert.deepEqual(readPolicyPage(items, 1), { value: { policies, hasMore: false } })
    assert.ok('problem' in readPolicyPage({}, 1))
  })
})
