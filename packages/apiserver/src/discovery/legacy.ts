import type { JsonObject } from '../json.ts'
import { type ApiGroup, type GroupVersion, groupVersionText } from './groups.ts'
import { type DiscoveredResource, discoveredResources, type DiscoveredSubresource } from './resources.ts'

/** `/api`. The address is where clients inside a cluster would go; they no longer do. */
export function apiVersions(serverAddress: string): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] }
}

/** `/apis`. */
export function apiGroupList(groups: readonly ApiGroup[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ name }) => name !== '').map(groupEntry) }
}

/** `/apis/<group>`. */
export function apiGroup(group: ApiGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry({ name, versions }: ApiGroup): JsonObject {
  const entries = versions.map(({ group, version }) => ({ groupVersion: groupVersionText(group, version), version }))
  const [preferredVersion] = entries
  return { name, versions: entries, ...(preferredVersion === undefined ? {} : { preferredVersion }) }
}

/** `/api/v1` and `/apis/<group>/<version>`. */
export function apiResourceList(served: GroupVersion): JsonObject {
  const resources = discoveredResources(served).flatMap((resource) => [
    resourceEntry(resource),
    ...resource.subresources.map((subresource) => subresourceEntry(resource, subresource, served)),
  ])
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: groupVersionText(served.group, served.version), resources }
}

function resourceEntry(resource: DiscoveredResource): JsonObject {
  return {
    name: resource.name,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
  }
}

function subresourceEntry(
  resource: DiscoveredResource,
  { name, responseKind, verbs }: DiscoveredSubresource,
  served: GroupVersion,
): JsonObject {
  const { group, version, kind } = responseKind
  const isOwn = (group === '' && version === '') || (group === served.group && version === served.version)
  return {
    name: `${resource.name}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isOwn ? {} : { group, version }),
    kind,
    verbs,
  }
}
