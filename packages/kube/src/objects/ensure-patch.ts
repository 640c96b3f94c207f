import type { JsonObject, KubernetesObject, ObjectMeta, OwnerReference } from '@windlass/api'
import { type FieldPath, parseFieldPath } from '../cache/field-path.ts'
import { equalJson, isRecord, type JsonRecord } from './equal.ts'
import { asPatch } from './merge-patch.ts'

/**
 * The merge patch that makes an object look like a draft; undefined when it does already.
 *
 * What the object has beyond the draft stays: members that the draft does not mention, and in lists of the same length also members of the
 * elements, where servers put their defaults. Below the paths in `owns` nothing stays that the draft does not have. A list that differs is replaced
 * whole. Owners and finalizers are added and never taken away, because others keep theirs in the same list.
 */
export function ensurePatch(current: KubernetesObject, draft: Drafted, owns: readonly string[] = []): JsonObject | undefined {
  const owned = owns.map(parseFieldPath)
  const { apiVersion: _apiVersion, kind: _kind, status: _status, metadata, ...wanted } = draft
  const ownedFields = owned.filter(([first = '']) => !notOurs.includes(first))
  const patch = isRecord(current) && isRecord(wanted) ? difference(current, wanted, ownedFields) : undefined
  const metadataPatch = metadataDifference(current.metadata, metadata, below(owned, 'metadata'))
  return asPatch({ ...patch, ...(metadataPatch === undefined ? {} : { metadata: metadataPatch }) })
}

/** A `Draft`, or what is `Applied`, of any kind. */
interface Drafted {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly status?: unknown
  readonly metadata: ObjectMeta
}

/** Not to be taken away whatever a controller says it owns. */
const notOurs = ['apiVersion', 'kind', 'metadata', 'status']

/** Everything below an owned path is owned. */
const everything: readonly FieldPath[] = [[]]

function isOwned(owned: readonly FieldPath[]): boolean {
  return owned.some((path) => path.length === 0)
}

function below(owned: readonly FieldPath[], key: string): readonly FieldPath[] {
  if (owned.length === 0) return owned
  if (isOwned(owned)) return everything
  return owned.filter(([first]) => first === key).map((path) => path.slice(1))
}

function difference(current: JsonRecord, wanted: JsonRecord, owned: readonly FieldPath[]): JsonRecord | undefined {
  if (current === wanted) return undefined
  const patch: Record<string, unknown> = {}
  for (const key in wanted) {
    const want = wanted[key]
    const have = current[key]
    const ownedBelow = below(owned, key)
    if (isRecord(want) && isRecord(have)) {
      const change = difference(have, want, ownedBelow)
      if (change !== undefined) patch[key] = change
    } else if (!isSatisfied(have, want, isOwned(ownedBelow))) {
      patch[key] = want
    }
  }
  for (const key in current) {
    if (wanted[key] !== undefined) continue
    const change = isOwned(below(owned, key)) ? removal(current[key], isOwned(owned)) : undefined
    if (change !== undefined) patch[key] = change
  }
  return asPatch(patch)
}

/** Inside of something owned, what the draft does not have goes. The owned thing itself is emptied, if it is a map. */
function removal(have: unknown, isInside: boolean): unknown {
  return isInside || !isRecord(have) ? null : difference(have, {}, everything)
}

function isSatisfied(have: unknown, want: unknown, exactly: boolean): boolean {
  if (want === undefined || have === want) return true
  if (want === null) return have === undefined
  if (exactly) return equalJson(have, want)
  if (Array.isArray(want)) {
    return Array.isArray(have) && have.length === want.length && want.every((value, index) => isSatisfied(have[index], value, false))
  }
  if (!isRecord(want) || !isRecord(have)) return false
  for (const key in want) if (!isSatisfied(have[key], want[key], false)) return false
  return true
}

/** Labels and annotations, owners and finalizers; the rest of the metadata is the server's. */
function metadataDifference(current: ObjectMeta, wanted: ObjectMeta, owned: readonly FieldPath[]): JsonRecord | undefined {
  // Servers leave out maps that are empty.
  const maps = difference(
    { labels: current.labels ?? {}, annotations: current.annotations ?? {} },
    { labels: wanted.labels, annotations: wanted.annotations },
    // The other metadata cannot be owned: somebody else's name or uid would be taken away.
    owned.filter((path) => path.length > 0),
  )
  const lists = asPatch({
    ...(current.deletionTimestamp === undefined ? added('finalizers', current.finalizers, wanted.finalizers, (name) => name) : {}),
    ...added('ownerReferences', current.ownerReferences, wanted.ownerReferences, ({ uid }: OwnerReference) => uid),
  })
  // These lists are replaced whole, so they must be the lists we have seen.
  return asPatch({ ...maps, ...lists, ...(lists === undefined ? {} : { resourceVersion: current.resourceVersion }) })
}

function added<E>(
  field: string,
  current: readonly E[] = [],
  wanted: readonly E[] = [],
  identity: (element: E) => string,
): Readonly<Record<string, readonly E[]>> {
  let result = current
  for (const element of wanted) {
    const index = result.findIndex((each) => identity(each) === identity(element))
    if (index < 0) result = [...result, element]
    else if (!isSatisfied(result[index], element, false)) result = result.with(index, element)
  }
  return result === current ? {} : { [field]: result }
}
