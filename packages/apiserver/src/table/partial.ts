import type { JsonObject } from '../json.ts'
import type { MetaVersion } from './table.ts'

/** An object reduced to its metadata, for clients that only index or garbage-collect. */
export function partialObject(object: JsonObject, version: MetaVersion = 'v1'): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata ?? {} }
}

/** A list of them; without items it has `items: null`, as a real server writes it. */
export function partialList(objects: readonly JsonObject[], metadata: JsonObject, version: MetaVersion = 'v1'): JsonObject {
  const items = objects.length === 0 ? null : objects.map((object) => partialObject(object, version))
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items }
}
