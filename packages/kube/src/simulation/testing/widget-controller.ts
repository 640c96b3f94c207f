import { ConfigMap } from '@windlass/api'
import type { ControllerDefinition } from '../../controller/index.ts'
import { type Action, ensure, plan, status } from '../../plan/index.ts'
import { configOf, Widget } from './widgets.ts'

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
    const { replicas = 0 } = widget.spec
    const keepConfig = ensure(ConfigMap, configOf(widget), 'the Widget asks for it')
    if (config === undefined) return plan(makeSure(widget), keepConfig)
    if (config.data?.replicas !== String(replicas)) return plan(keepConfig)
    return plan(
      keepConfig,
      // Only about what was seen: a process whose caches have not heard of a change yet must not call the Widget ready.
      status(Widget, widget, { phase: 'Ready', replicas }, 'its ConfigMap says what it asks for', { ifUnchanged: true }),
    )
  },
}

/**
 * Asks the server whether a Widget is still as it was seen, by a write that is refused when it is not. The server deletes what belongs to
 * nobody, and a process whose caches are behind would make it again and again, as fast as it can.
 */
function makeSure(widget: Widget): Action {
  const phase = widget.status?.phase === 'Making' ? 'Making again' : 'Making'
  return status(Widget, widget, { phase }, 'its ConfigMap is about to be made', { ifUnchanged: true })
}
