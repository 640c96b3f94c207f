import type { JsonObject } from '../json.ts'
import type { ApiGroup } from './groups.ts'
import { type DiscoveredResource, discoveredResources } from './resources.ts'

/** The Content-Type of the aggregated documents: clients pick their decoder by it. */
export const aggregatedContentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** All groups with all their resources in one document: `/apis`, or `/api` when given the core group alone. */
export function aggregatedDiscovery(groups: readonly ApiGroup[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === '' ? {} : { name: group.name },
      versions: group.versions.map((served) => ({
        version: served.version,
        resources: discoveredResources(served).map(resourceEntry),
        freshness: 'Current',
      })),
    })),
  }
}

function resourceEntry(resource: DiscoveredResource): JsonObject {
  const subresources = resource.subresources.map(({ name, responseKind, verbs }) => ({
    subresource: name,
    responseKind: { ...responseKind },
    verbs,
  }))
  return {
    resource: resource.name,
    responseKind: { ...resource.responseKind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  }
}
