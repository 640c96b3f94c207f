import type { ObjectMeta, Resource } from '@windlass/api'
import { seededRandom } from '@windlass/core'
import type { Page, WatchEvent } from '../../client/client.ts'

/** A small kind: the test server of the API server has it too. */
export interface Widget {
  readonly apiVersion: 'test.windlass.dev/v1'
  readonly kind: 'Widget'
  readonly metadata: ObjectMeta
  readonly spec: { readonly replicas?: number; readonly color?: string; readonly note?: string }
  readonly status?: { readonly phase?: string; readonly replicas?: number }
}

export const Widget: Resource<Widget> = {
  group: 'test.windlass.dev',
  version: 'v1',
  apiVersion: 'test.windlass.dev/v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  hasStatusSubresource: true,
}

/** `a`, or `team/a` for another namespace than `default`. */
export function aWidget(path: string, version: number | string, spec: Widget['spec'] = {}, metadata: ObjectMeta = {}): Widget {
  const [name = '', namespace = 'default'] = path.split('/').toReversed()
  return {
    apiVersion: Widget.apiVersion,
    kind: Widget.kind,
    metadata: { name, namespace, uid: seededRandom(path).uuid(), resourceVersion: String(version), ...metadata },
    spec,
  }
}

export const added = (object: Widget): WatchEvent<Widget> => ({ type: 'ADDED', object })
export const modified = (object: Widget): WatchEvent<Widget> => ({ type: 'MODIFIED', object })
export const deleted = (object: Widget): WatchEvent<Widget> => ({ type: 'DELETED', object })

export function bookmark(version: number | string, annotations?: Readonly<Record<string, string>>): WatchEvent<Widget> {
  const metadata = { resourceVersion: String(version), ...(annotations === undefined ? {} : { annotations }) }
  return { type: 'BOOKMARK', object: { apiVersion: Widget.apiVersion, kind: Widget.kind, metadata } }
}

/** The bookmark behind the present state. */
export function endOfState(version: number | string): WatchEvent<Widget> {
  return bookmark(version, { 'k8s.io/initial-events-end': 'true' })
}

export function page(version: number | string, items: readonly Widget[], continueToken?: string): Page<Widget> {
  return { items, resourceVersion: String(version), continueToken }
}
