import type { ObjectMeta, Resource } from '@windlass/api'

/** The kind that the test server always has, with everything a kind can have. */
export interface Widget {
  readonly apiVersion: 'test.windlass.dev/v1'
  readonly kind: 'Widget'
  readonly metadata: ObjectMeta
  readonly spec: { readonly replicas?: number; readonly color?: string; readonly note?: string }
  readonly status?: { readonly phase?: string; readonly replicas?: number; readonly selector?: string }
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

/** Cluster-wide; its status is a field like any other. */
export interface Gadget {
  readonly apiVersion: 'test.windlass.dev/v1'
  readonly kind: 'Gadget'
  readonly metadata: ObjectMeta
  readonly spec: { readonly size?: number }
  readonly status?: { readonly phase?: string }
}

export const Gadget: Resource<Gadget> = {
  group: 'test.windlass.dev',
  version: 'v1',
  apiVersion: 'test.windlass.dev/v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Cluster',
  hasStatusSubresource: false,
}

/** As it is sent to be created. */
export function widgetDraft(name: string, spec: Widget['spec'] = { replicas: 1 }, metadata: ObjectMeta = {}): Omit<Widget, 'status'> {
  return { apiVersion: 'test.windlass.dev/v1', kind: 'Widget', metadata: { namespace: 'default', name, ...metadata }, spec }
}

/** As a server hands it out. */
export function aStoredWidget(name: string, parts: Partial<Widget> = {}): Widget {
  const draft = widgetDraft(name)
  return { ...draft, ...parts, metadata: { uid: `${name}-uid`, resourceVersion: '1', generation: 1, ...draft.metadata, ...parts.metadata } }
}
