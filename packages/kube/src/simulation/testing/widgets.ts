import { ConfigMap, type ObjectMeta, type Resource } from '@windlass/api'
import { widgets } from '@windlass/apiserver/testing'
import type { Client, Draft } from '../../client/index.ts'
import { setControllerReference } from '../../objects/index.ts'

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

/** What `widgetController` keeps for a Widget. */
export function configOf(widget: Widget): Draft<ConfigMap> {
  const { namespace = '', name = '' } = widget.metadata
  return setControllerReference({ metadata: { namespace, name }, data: { replicas: String(widget.spec.replicas ?? 0) } }, widget)
}

/** As many Widgets, `w0` and so on, each with its number as replicas. The last ones are ready, as `widgetController` would make them. */
export function manyWidgets(count: number, ready = 0): (client: Client) => Promise<void> {
  return async (client) => {
    for (let number = 0; number < count; number++) {
      const widget = await client.create(Widget, aWidget(`w${number}`, { replicas: number }))
      if (number < count - ready) continue
      await client.create(ConfigMap, configOf(widget))
      await client.patchStatus(Widget, { namespace: 'default', name: `w${number}` }, { status: { phase: 'Ready', replicas: number } })
    }
  }
}
