import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ServiceMonitor, toCrd } from '@windlass/api'
import type { JsonObject, Resource } from '@windlass/api'
import { startTestServer } from '@windlass/apiserver/testing'
import { decideApply } from './apply.ts'
import { commonMetadata } from './manifest.ts'
import type { ManifestObject } from './manifest.ts'
import { manifestsOf } from './manifests.ts'
import { never } from './predicates.ts'
import { etcdShard, registry } from './registry.ts'
import { aControlPlaneOn, anObservation } from './testing/index.ts'
import { isWorkload, workloadKindOf, workloadOf } from './workload.ts'

const namespace = 'clusters-prod'

function urlOf({ group, version, plural }: Resource): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${plural}`
}

it('3.3 every manifest of every component is taken by an API server, and is as desired when it comes back', async () => {
  const definitions = [JSON.parse(JSON.stringify(toCrd(ServiceMonitor))) as JsonObject]
  await using server = await startTestServer({ definitions })
  await server.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const hcp = aControlPlaneOn('AWS', {
    annotations: {
      'hypershift.openshift.io/topology': 'dedicated-request-serving-components',
      'hypershift.openshift.io/request-serving-node-additional-selector': 'size=large,zone=a',
      'hypershift.openshift.io/restart-date': '2026-03-06',
      'resource-request-override.hypershift.openshift.io/kube-apiserver.kube-apiserver': 'cpu=2000m,memory=1.5Gi',
    },
    labels: { team: 'a' },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'infra', operator: 'Exists' }],
  })
  const observed = anObservation({ hcp })
  const living = [...registry.components.filter(({ isEnabled }) => isEnabled !== never), etcdShard('events')]
  for (const component of living) {
    const metadata = commonMetadata(component, hcp)
    const makers: readonly (readonly [Resource, (live?: ManifestObject) => ManifestObject])[] = [
      ...manifestsOf(component).map(
        (manifest) => [manifest.kind, (live?: ManifestObject) => manifest.build(observed, metadata, live)] as const,
      ),
      [workloadKindOf(component), (live) => workloadOf(component, observed, metadata, isWorkload(live) ? live : undefined)],
    ]
    for (const [kind, make] of makers) {
      const decision = decideApply(make(), undefined)
      assert.ok(decision.do === 'create')
      const answer = await server.send('POST', `${urlOf(kind)}?dryRun=All`, decision.object)
      assert.equal(answer.status, 201, `${kind.kind} of ${component.name}: ${answer.text}`)
      assert.equal(answer.headers['warning'], undefined, `${kind.kind} of ${component.name}`)
      const live = JSON.parse(answer.text) as ManifestObject
      assert.deepEqual(decideApply(make(live), live), { do: 'leave', live }, `${kind.kind} of ${component.name}`)
    }
  }
})
