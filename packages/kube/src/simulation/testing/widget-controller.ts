import { ConfigMap } from '@windlass/api'
import type { ControllerDefinition } from '../../controller/index.ts'
import { setControllerReference } from '../../helpers/index.ts'
import { ensure, plan, status } from '../../plan/index.ts'
import { Widget } from './widgets.ts'

interface Observed {
  readonly widget: Widget
  readonly config: ConfigMap | undefined
}

/** Keeps for each Widget a ConfigMap with what it asks for, and a status that says so once it is there. */
export const widgetController: ControllerDefinition<Widget, Observed> = {
  name: 'widgets',
  for: Widget,
  owns: [ConfigMap],
  maxConcurrent: 3,
  observe(ref, cache) {
    const widget = cache.get(Widget, ref)
    return widget === undefined ? undefined : { widget, config: cache.get(ConfigMap, ref) }
  },
  decide({ widget, config }) {
    const { namespace = '', name = '' } = widget.metadata
    const { replicas = 0 } = widget.spec
    const wanted = setControllerReference({ metadata: { namespace, name }, data: { replicas: String(replicas) } }, widget)
    if (config?.data?.replicas !== String(replicas)) return plan(ensure(ConfigMap, wanted, 'the Widget asks for it'))
    return plan(
      ensure(ConfigMap, wanted, 'the Widget asks for it'),
      // Only about what was seen: a process whose caches have not heard of a change yet must not call the Widget ready.
      status(Widget, widget, { phase: 'Ready', replicas }, 'its ConfigMap says what it asks for', { ifUnchanged: true }),
    )
  },
}
