import type { KubernetesObject } from '@windlass/api'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** Kinds whose objects say what happened on the way, not where it led. */
const tracks = ['/coordination.k8s.io/leases/', '/~/events/']

export function isTrack(key: string): boolean {
  return tracks.some((track) => key.includes(track))
}

/** An object without its uid, version and times, and without the uids and times in it. */
export function normalised(object: KubernetesObject): string {
  const { uid: _uid, resourceVersion: _version, generation: _generation, managedFields: _fields, ...metadata } = object.metadata
  return JSON.stringify({ ...object, metadata }, inOrder)
    .replace(uuid, '<uid>')
    .replace(time, '<time>')
}

/** Fields that were set in another order are the same fields. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  for (let index = 1; index < entries.length; index++) {
    if ((entries[index - 1]?.[0] ?? '') > (entries[index]?.[0] ?? ''))
      return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return value
}
