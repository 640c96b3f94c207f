import type { JsonObject } from '../json.ts'
import type { Seen } from './client.ts'

/** Where things are; `cluster` is the prefix of a logical cluster's URLs. */
export const urls = {
  widgets: (namespace = 'default', cluster = '') => `${cluster}/apis/test.windlass.dev/v1/namespaces/${namespace}/widgets`,
  widget: (name: string, namespace = 'default', cluster = '') => `${urls.widgets(namespace, cluster)}/${name}`,
  allWidgets: '/apis/test.windlass.dev/v1/widgets',
  gadgets: '/apis/test.windlass.dev/v1/gadgets',
  configMaps: (namespace = 'default', cluster = '') => `${cluster}/api/v1/namespaces/${namespace}/configmaps`,
  configMap: (name: string, namespace = 'default', cluster = '') => `${urls.configMaps(namespace, cluster)}/${name}`,
  events: (namespace = 'default', cluster = '') => `${cluster}/api/v1/namespaces/${namespace}/events`,
  namespaces: '/api/v1/namespaces',
  namespace: (name: string) => `/api/v1/namespaces/${name}`,
  definitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  definition: (name: string) => `${urls.definitions}/${name}`,
  logicalClusters: '/apis/windlass.dev/v1alpha1/logicalclusters',
  logicalCluster: (name: string) => `${urls.logicalClusters}/${name}`,
} as const

export function aWidget(name: string, spec: JsonObject = { replicas: 1 }, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'test.windlass.dev/v1', kind: 'Widget', metadata: { name, ...metadata }, spec }
}

export function aConfigMap(name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

export function aNamespace(name: string, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } }
}

export function anEvent(name: string, metadata: JsonObject = {}): JsonObject {
  const involvedObject = { apiVersion: 'v1', kind: 'Namespace', name: 'default', namespace: 'default' }
  return { apiVersion: 'v1', kind: 'Event', metadata: { name, ...metadata }, involvedObject, reason: 'Tested', type: 'Normal' }
}

export function aLogicalCluster(name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name }, spec }
}

/** A reference to an object that exists. */
export function ownedBy({ apiVersion, kind, metadata }: Seen, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more }
}
