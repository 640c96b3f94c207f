import type { ObjectMeta, Resource } from '@windlass/api'
import { widgets } from '@windlass/apiserver/testing'
import type { Client, Draft } from '../../client/index.ts'

/** A kind that exists for tests: the server's own tests define it. */
export interface Widget {
  readonly apiVersion: 'test.windlass.dev/v1'
  readonly kind: 'Widget'
  readonly metadata: ObjectMeta
  readonly spec: { readonly replicas?: number; readonly color?: string }
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

export const definitions = [widgets]

export function aWidget(name: string, spec: Widget['spec'] = { replicas: 1 }): Draft<Widget> {
  return { metadata: { namespace: 'default', name }, spec }
}

/** As many Widgets, `w0` and so on, each with its number as replicas. */
export function manyWidgets(count: number): (client: Client) => Promise<void> {
  return async (client) => {
    for (let number = 0; number < count; number++) await client.create(Widget, aWidget(`w${number}`, { replicas: number }))
  }
}
