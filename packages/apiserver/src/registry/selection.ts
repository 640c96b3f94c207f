import { isObject, type JsonObject } from '../json.ts'
import { fieldSelector, type LabelSelector, parseLabelSelector, type FieldSelector } from '../selectors/index.ts'
import type { Served } from './catalog.ts'
import { metadataOf } from './object-meta.ts'

/** Which objects of a collection a request is about. */
export interface Selection {
  readonly labels: LabelSelector | undefined
  readonly fields: FieldSelector | undefined
  /** A name or namespace that the field selector pins down: a key lookup instead of a scan. */
  readonly name: string | undefined
  readonly namespace: string
  /** True when an object must be parsed to know whether it belongs. */
  readonly needsObject: boolean
}

export function selectionOf(served: Served, namespace: string, query: URLSearchParams): Selection {
  const labelText = query.get('labelSelector') ?? ''
  const fieldText = query.get('fieldSelector') ?? ''
  const labels = labelText.trim() === '' ? undefined : parseLabelSelector(labelText)
  const fields = fieldText === '' ? undefined : fieldSelector(served.type, served.version.name, fieldText)
  return {
    labels,
    fields,
    name: fields?.name,
    namespace: namespace === '' && served.type.namespaced ? (fields?.namespace ?? '') : namespace,
    needsObject: labels !== undefined || fields !== undefined,
  }
}

export function selects(selection: Selection, object: JsonObject): boolean {
  const labels = metadataOf(object).labels
  if (selection.labels !== undefined && !selection.labels.matches(isObject(labels) ? labels : {})) return false
  return selection.fields === undefined || selection.fields.matches(object)
}
