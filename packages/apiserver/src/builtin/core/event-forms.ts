import type { JsonObject, MutableObject } from '../../json.ts'

/**
 * The two forms of an event. The older one, of the core group, is the one that is stored; the newer one, of events.k8s.io, names
 * most fields differently.
 */
const newForm = 'events.k8s.io/v1'

/** Name in events.k8s.io, name in the core group, and what the core group writes when it is not set. */
const renamed: readonly (readonly [newer: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]
const toCore = new Map(renamed)
const toNew = new Map(renamed.map(([newer, core]) => [core, newer]))

/** The core group writes these even when they are empty, the other one does not. */
const alwaysInCore = ['reportingComponent', 'reportingInstance']

/** An event in the form that is stored; events already in it come back as they are. */
export function asCoreEvent(event: JsonObject): JsonObject {
  if (event.apiVersion !== newForm) return event
  const core = rename(event, toCore, 'v1')
  for (const field of alwaysInCore) core[field] ??= ''
  return core
}

/** An event in the form of events.k8s.io. */
export function asNewEvent(event: JsonObject): JsonObject {
  if (event.apiVersion === newForm) return event
  const newer = rename(event, toNew, newForm)
  for (const field of ['reportingController', 'reportingInstance']) if (newer[field] === '') delete newer[field]
  return newer
}

function rename(event: JsonObject, names: ReadonlyMap<string, string>, apiVersion: string): MutableObject {
  const result: MutableObject = {}
  for (const [field, value] of Object.entries(event)) result[names.get(field) ?? field] = value
  result.apiVersion = apiVersion
  return result
}
