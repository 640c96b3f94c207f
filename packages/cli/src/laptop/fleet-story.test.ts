import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster } from '@windlass/api'
import { aHostedCluster, aNamespace } from '@windlass/api/fixtures'
import type { Plan } from '@windlass/kube'
import { failureAnnotation } from '@windlass/simulator'
import { nextAnnotation, troubleAnnotation } from './fleet-objects.ts'
import { fleetStory } from './fleet-story.ts'

const [next, trouble] = ['example.com/ocp/release:4.20.8-x86_64', 'slow factor=10']
const namespace = aNamespace({ name: 'clusters-prod' })
type Status = NonNullable<HostedCluster['status']>

const aCluster = (
  annotations: Readonly<Record<string, string>>,
  change: (status: Status) => Status = (status) => status,
): HostedCluster => {
  const cluster = aHostedCluster({ release: '4.19.14', metadata: { name: 'prod', namespace: 'clusters', annotations } })
  return { ...cluster, status: change(cluster.status ?? assert.fail()) }
}

const look = (cluster: HostedCluster, home = namespace): Plan => fleetStory.decide({ cluster, namespace: home }, 0)
const patches = (plan: Plan) => plan.actions.map((action) => (action.do === 'patch' ? [action.kind.kind, action.patch] : action.do))

const beginning = { [nextAnnotation]: next, [troubleAnnotation]: trouble }
const partial = (status: Status): Status => {
  const [newest] = status.version?.history ?? []
  const history = [{ ...(newest ?? assert.fail()), state: 'Partial' as const }]
  return { ...status, version: { ...(status.version ?? assert.fail()), history } }
}
const twice = (status: Status): Status => {
  const history = status.version?.history ?? []
  return { ...status, version: { ...(status.version ?? assert.fail()), history: [...history, ...history] } }
}

describe('what happens to a cluster of the sample fleet', () => {
  it('is nothing until it is installed', () => {
    assert.deepEqual(look(aCluster(beginning, partial)), { actions: [], waitingFor: 'the cluster to be installed' })
    assert.deepEqual(look(aCluster({})).actions, [])
  })

  it('is an upgrade as soon as it is installed, with the trouble that it is to have', () => {
    assert.deepEqual(patches(look(aCluster(beginning))), [
      ['Namespace', { metadata: { annotations: { [failureAnnotation]: trouble } } }],
      ['HostedCluster', { metadata: { annotations: { [nextAnnotation]: null } }, spec: { release: { image: next } } }],
    ])
  })

  it('is left to people who have upgraded it before', () => {
    assert.deepEqual(patches(look(aCluster(beginning, twice))), [
      ['HostedCluster', { metadata: { annotations: { [nextAnnotation]: null, [troubleAnnotation]: null } } }],
    ])
  })

  it('is over when the upgrade is, and so is the trouble', () => {
    const after = { [troubleAnnotation]: trouble }
    const troubled = aNamespace({
      name: 'clusters-prod',
      metadata: { name: 'clusters-prod', annotations: { [failureAnnotation]: trouble } },
    })
    assert.deepEqual(look(aCluster(after), troubled).actions, [], 'it has not begun')
    const over = ['HostedCluster', { metadata: { annotations: { [troubleAnnotation]: null } } }]
    assert.deepEqual(patches(look(aCluster(after, twice), troubled)), [
      ['Namespace', { metadata: { annotations: { [failureAnnotation]: null } } }],
      over,
    ])
    assert.deepEqual(patches(look(aCluster(after, twice))), [over], 'trouble of somebody else stays')
  })

  it('is nothing any more when it is being deleted', () => {
    const { metadata, ...rest } = aCluster(beginning)
    assert.deepEqual(look({ ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }).actions, [])
  })
})
