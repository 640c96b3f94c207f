import type { EventReference, KubernetesObject } from '@windlass/api'
import type { Random } from '@windlass/core'

/** The server refuses events with longer notes, in bytes. */
export const longestNote = 1024
/** The same for reasons, actions and the name of who reports. */
export const longestWord = 128
const longestName = 253

/** What an event is about, as events say it. */
export function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): EventReference {
  const { namespace, name, uid, resourceVersion } = metadata
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
}

/** Tells objects apart, also one that was deleted from one that was created under its name. */
export function identityOf({ apiVersion, kind, metadata: { namespace = '', name = '', uid = '' } }: KubernetesObject): string {
  return `${apiVersion} ${kind} ${namespace}/${name} ${uid}`
}

/** Events about objects without a namespace are kept in this one. */
export function namespaceFor({ metadata }: KubernetesObject): string {
  return metadata.namespace ?? 'default'
}

/**
 * `<object>.<hex>`. Names of events are stricter than those of some objects (`system:node`): what does not fit becomes a dash.
 */
export function eventName({ metadata: { name = 'object' } }: KubernetesObject, random: Random): string {
  const suffix = `.${Buffer.from(random.bytes(8)).toString('hex')}`
  const allowed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .slice(0, longestName - suffix.length)
    .replaceAll(/(?<=^|\.)[.-]+|[.-]+(?=\.|$)/g, '')
  return `${allowed === '' ? 'object' : allowed}${suffix}`
}

const encoder = new TextEncoder()
const ellipsis = '…'

/** As much of the text as fits into so many bytes, never half a character. A note that was cut says so by three dots. */
export function cut(text: string, bytes: number, end = ''): string {
  // No character needs more than three bytes for each unit of its length.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(bytes - Buffer.byteLength(end)))
  return `${text.slice(0, read)}${end}`
}

export function cutNote(note: string): string {
  return cut(note, longestNote, ellipsis)
}
