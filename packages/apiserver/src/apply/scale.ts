import type { JsonArray } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { identity, readStored, withFields, writeEntries, type Entry } from './entries.ts'
import { difference, fieldAt, has, isEmpty } from './fields.ts'

/**
 * Ownership through `/scale`: an object's replicas are one field in two places. The Scale is tracked like any object, with the entries that
 * `toScaleEntries` gives it; `fromScaleEntries` brings the outcome back.
 */
export const scaleApiVersion = 'autoscaling/v1'

const replicasInScale = ['spec', 'replicas']
const replicasElements = replicasInScale.map((name) => `f:${name}`)

export const scaleSchema: JsonSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer', format: 'int32' } } },
    status: { type: 'object', properties: { replicas: { type: 'integer', format: 'int32' }, selector: { type: 'string' } } },
  },
}

/**
 * Where a version of the parent keeps its replicas, by names (`['spec', 'replicas']`); `null` when that version cannot be scaled,
 * `undefined` when it is gone.
 */
export type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined

/** The `managedFields` of a Scale: those entries of its parent that own the replicas. */
export function toScaleEntries(parent: JsonArray, replicasPath: ReplicasPath): JsonArray {
  const owners = readStored(parent).filter((entry) => ownsReplicas(entry, replicasPath))
  const entries = owners.map(({ stored: _, ...entry }): Entry => ({
    ...entry,
    apiVersion: scaleApiVersion,
    fields: fieldAt(replicasInScale),
  }))
  return writeEntries(entries, [])
}

/** The parent's `managedFields` after its Scale was written with the entries `scale`. */
export function fromScaleEntries(parent: JsonArray, scale: JsonArray, apiVersion: string, replicasPath: ReplicasPath): JsonArray {
  const path = replicasPath(apiVersion) ?? replicasInScale
  const scaled = new Map(readStored(scale).map((entry) => [identity(entry), entry]))
  const after: Entry[] = []
  for (const entry of readStored(parent)) {
    const own = replicasPath(entry.apiVersion)
    if (own === undefined) continue
    if (own === null || !ownsReplicas(entry, replicasPath) || scaled.delete(identity(entry))) {
      after.push(entry)
      continue
    }
    const rest = difference(entry.fields, fieldAt(own))
    if (!isEmpty(rest)) after.push(withFields(entry, rest))
  }
  const times = new Map(readStored(parent).map((entry) => [identity(entry), entry.time]))
  for (const [id, { stored: _, ...entry }] of scaled) {
    if (has(entry.fields, replicasElements)) after.push({ ...entry, apiVersion, time: times.get(id), fields: fieldAt(path) })
  }
  return writeEntries(after, parent)
}

function ownsReplicas(entry: Entry, replicasPath: ReplicasPath): boolean {
  const path = replicasPath(entry.apiVersion)
  return (
    path !== null &&
    path !== undefined &&
    has(
      entry.fields,
      path.map((name) => `f:${name}`),
    )
  )
}
