import type { Client } from '../support/client.ts'
import { until } from '../support/until.ts'
import {
  cluster,
  clusterPrefix,
  collectionOf,
  definitions,
  type Fields,
  logicalClusters,
  nameOf,
  namespace,
  type Subject,
  subjects,
} from './subjects.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const clusters = '/apis/windlass.dev/v1alpha1/logicalclusters'

/** Puts everything back as it was at the start: requests that turned out to be valid leave things behind, and take things away. */
export async function restore(api: Client): Promise<void> {
  await ensure(api, crds, logicalClusters)
  await ensure(api, clusters, { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name: cluster }, spec: {} })
  await until('the logical cluster', async () => (await api.send('GET', `${clusterPrefix}/api/v1/namespaces/default`)).status === 200)
  for (const prefix of ['', clusterPrefix]) {
    for (const definition of definitions) await ensure(api, prefix + crds, definition)
    await ensure(api, `${prefix}/api/v1/namespaces`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    for (const each of subjects) await clear(api, prefix, each)
    for (const each of subjects) await ensure(api, prefix + collectionOf(each), each.object)
  }
}

/** Creates an object, waiting for a deletion under way to end. */
async function ensure(api: Client, collection: string, object: Fields): Promise<void> {
  await until(`${collection}/${nameOf(object)}`, async () => {
    const { status, body } = await api.send('GET', `${collection}/${nameOf(object)}`)
    if (status === 404) {
      const created = await api.send('POST', collection, object)
      return created.status === 201 && !collection.endsWith('customresourcedefinitions')
    }
    const { deletionTimestamp } = (body.metadata ?? {}) as { deletionTimestamp?: string }
    if (deletionTimestamp !== undefined) return false
    return status === 200 && (!collection.endsWith('customresourcedefinitions') || isEstablished(body))
  })
}

function isEstablished({ status }: Record<string, unknown>): boolean {
  return JSON.stringify(status ?? {}).includes('"type":"Established"')
}

/** Deletes everything of a kind that is not a part of the server itself. */
async function clear(api: Client, prefix: string, { group, version, resource, namespaced }: Subject): Promise<void> {
  const root = `${prefix}${group === '' ? '/api/' : `/apis/${group}/`}${version}`
  const { items } = (await api.get(`${root}/${resource}`)) as unknown as { items: readonly Found[] }
  for (const { metadata } of items) {
    if (isOurs(resource, metadata)) continue
    const path = `${root}${namespaced ? `/namespaces/${metadata.namespace}` : ''}/${resource}/${encodeURIComponent(metadata.name)}`
    if (metadata.finalizers !== undefined) {
      await api.send('PATCH', path, { metadata: { finalizers: null } }, { 'content-type': 'application/merge-patch+json' })
    }
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, propagationPolicy: 'Background' }
    await api.send('DELETE', path, options)
  }
}

interface Found {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly finalizers?: readonly string[] }
}

function isOurs(resource: string, { name: given, namespace: place = '' }: Found['metadata']): boolean {
  if (resource === 'serviceaccounts') return given === 'default'
  return place.startsWith('kube-') || given.startsWith('system:') || ['admin', 'edit', 'view', 'cluster-admin'].includes(given)
}
