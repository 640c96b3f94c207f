import { compareTexts, type GroupVersion, type ReviewKind, type ServedType, storageVersionHash } from './groups.ts'

/** The kind a request body or answer has; empty group and version mean those of the resource itself. */
export interface KindReference {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface DiscoveredSubresource {
  readonly name: string
  readonly responseKind: KindReference
  readonly verbs: readonly string[]
}

/** A resource as discovery tells it, before it is written in one of the two forms. */
export interface DiscoveredResource {
  readonly name: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly storageVersionHash?: string
  /** What aggregated discovery says; built-in kinds leave group and version empty there. */
  readonly responseKind: KindReference
  readonly subresources: readonly DiscoveredSubresource[]
}

const writeVerbs = ['get', 'patch', 'update'] as const

export function discoveredResources({ types, reviews }: GroupVersion): readonly DiscoveredResource[] {
  return [...types.map(ofType), ...reviews.map(ofReview)].toSorted((a, b) => compareTexts(a.name, b.name))
}

function ofType(served: ServedType): DiscoveredResource {
  const { type, version } = served
  const own = type.isCustom ? { group: type.group, version: version.name, kind: type.kind } : ownKind(type.kind)
  return {
    name: type.resource,
    singular: type.singular,
    kind: type.kind,
    namespaced: type.namespaced,
    verbs: type.verbs,
    shortNames: type.shortNames,
    categories: type.categories,
    storageVersionHash: storageVersionHash(type),
    responseKind: own,
    subresources: subresourcesOf(served, own),
  }
}

function subresourcesOf({ type, version }: ServedType, own: KindReference): readonly DiscoveredSubresource[] {
  const status = version.hasStatus ? [{ name: 'status', responseKind: own, verbs: writeVerbs }] : []
  const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  const scale = version.scale === undefined ? [] : [{ name: 'scale', responseKind: scaleKind, verbs: writeVerbs }]
  const extra = (type.extraSubresources ?? []).map(({ name, group, version: itsVersion, kind, verbs }) => {
    const isOwnGroup = group === type.group && (itsVersion === version.name || itsVersion === '')
    return { name, responseKind: isOwnGroup ? { ...own, kind } : { group, version: itsVersion, kind }, verbs }
  })
  const all = [...status, ...scale, ...extra]
  // Custom resources list status before scale; built-in kinds go by name.
  return type.isCustom ? all : all.toSorted((a, b) => compareTexts(a.name, b.name))
}

function ofReview({ resource, kind, namespaced }: ReviewKind): DiscoveredResource {
  const nothing = { shortNames: [], categories: [], subresources: [] }
  return { name: resource, singular: kind.toLowerCase(), kind, namespaced, verbs: ['create'], responseKind: ownKind(kind), ...nothing }
}

function ownKind(kind: string): KindReference {
  return { group: '', version: '', kind }
}
