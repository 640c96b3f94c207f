import { createHash } from 'node:crypto'
import type { ResourceType, ResourceVersion } from '../registry/resource.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** A kind that is only asked (POST) and never stored: SubjectAccessReview and the like. */
export interface ReviewKind {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly kind: string
  readonly namespaced: boolean
  readonly schema: JsonSchema
}

/** Everything one logical cluster serves. */
export interface ServedKinds {
  readonly types: Iterable<ResourceType>
  readonly reviews: Iterable<ReviewKind>
}

/** A type in one of its served versions. */
export interface ServedType {
  readonly type: ResourceType
  readonly version: ResourceVersion
}

export interface GroupVersion {
  readonly group: string
  readonly version: string
  /** Sorted by plural name. */
  readonly types: readonly ServedType[]
  readonly reviews: readonly ReviewKind[]
}

export interface ApiGroup {
  /** Empty for the core group. */
  readonly name: string
  /** Most preferred first. */
  readonly versions: readonly GroupVersion[]
}

/**
 * Built-in groups in the order a real server lists them; clients that know a kind by a name that several groups use take the
 * first. Groups of custom resources follow by name.
 */
const firstGroups: readonly string[] = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
]

/** The served groups, in the order of discovery. A group or version in which nothing is served does not exist. */
export function apiGroups({ types, reviews }: ServedKinds): readonly ApiGroup[] {
  const groups = new Map<string, Map<string, { types: ServedType[]; reviews: ReviewKind[] }>>()
  const slot = (group: string, version: string): { types: ServedType[]; reviews: ReviewKind[] } => {
    const versions = groups.get(group) ?? new Map<string, { types: ServedType[]; reviews: ReviewKind[] }>()
    const kinds = versions.get(version) ?? { types: [], reviews: [] }
    groups.set(group, versions.set(version, kinds))
    return kinds
  }
  for (const type of types) {
    for (const version of type.versions) if (version.served) slot(type.group, version.name).types.push({ type, version })
  }
  for (const review of reviews) slot(review.group, review.version).reviews.push(review)
  return [...groups]
    .map(([name, versions]) => ({ name, versions: [...versions].map(([version, kinds]) => groupVersionOf(name, version, kinds)) }))
    .map(({ name, versions }) => ({ name, versions: versions.toSorted((a, b) => compareVersions(a.version, b.version)) }))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || compareTexts(a.name, b.name))
}

function groupVersionOf(
  group: string,
  version: string,
  { types, reviews }: { readonly types: readonly ServedType[]; readonly reviews: readonly ReviewKind[] },
): GroupVersion {
  return {
    group,
    version,
    types: types.toSorted((a, b) => compareTexts(a.type.resource, b.type.resource)),
    reviews: reviews.toSorted((a, b) => compareTexts(a.resource, b.resource)),
  }
}

function rank(group: string): number {
  const position = firstGroups.indexOf(group)
  return position < 0 ? firstGroups.length : position
}

/**
 * Orders versions as Kubernetes prefers them: `v2`, `v1`, `v2beta1`, `v1beta2`, `v1alpha1`, then what is no such version, by name.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)]
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return compareTexts(a, b)
    return left === undefined ? 1 : -1
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor
}

function versionParts(text: string): { readonly stability: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(text)
  if (match === null) return undefined
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) }
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `apps/v1`, or `v1` in the core group. */
export function groupVersionText(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

/** Tells clients that migrate storage whether two servers store a kind in the same version. */
export function storageVersionHash({ group, storageVersion, kind }: ResourceType): string {
  return createHash('sha256').update(`${group}/${storageVersion}/${kind}`).digest().subarray(0, 8).toString('base64')
}
