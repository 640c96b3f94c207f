import { ConfigMap, Secret } from '@windlass/api'
import { cached } from '../../cache/index.ts'
import { ensureFinalizer, refOf, setControllerReference, withoutFinalizer } from '../../objects/index.ts'
import { ensure, event, plan, remove, status, wait } from '../../plan/index.ts'
import { Widget } from '../../plan/testing/index.ts'
import { type ControllerDefinition, watching } from '../index.ts'

export const finalizer = 'test.windlass.dev/children'
const maps = cached(ConfigMap, { indexes: { color: ({ data = {} }) => (data['color'] === undefined ? [] : [data['color']]) } })
const byColor = cached(Widget, { indexes: { color: ({ spec }) => (spec.color === undefined ? [] : [spec.color]) } })

interface Seen {
  readonly widget: Widget
  readonly child: ConfigMap | undefined
  readonly paint: Secret | undefined
}

/**
 * A small controller that does a bit of everything: each Widget has a ConfigMap of its own with its color, once there is a Secret with paint of that
 * color. Before a Widget goes, its ConfigMap does.
 */
export const painter: ControllerDefinition<Widget, Seen> = {
  name: 'painter',
  for: byColor,
  owns: [maps],
  watches: [watching(Secret, ({ metadata }, cache) => cache.byIndex(byColor, 'color', metadata.name ?? '').map(refOf))],
  maxConcurrent: 4,
  observe: (ref, cache) => {
    const widget = cache.get(byColor, ref)
    if (widget === undefined) return undefined
    const paint = widget.spec.color === undefined ? undefined : cache.get(Secret, { namespace: 'default', name: widget.spec.color })
    return { widget, child: cache.get(maps, ref), paint }
  },
  decide: ({ widget, child, paint }) => {
    if (widget.metadata.deletionTimestamp !== undefined) {
      if (child !== undefined) return plan(remove(ConfigMap, child, 'its widget goes'))
      return plan(withoutFinalizer(Widget, widget, finalizer))
    }
    const held = ensureFinalizer(Widget, widget, finalizer)
    if (held !== undefined) return plan(held)
    if (paint === undefined)
      return plan(status(Widget, widget, { phase: 'Waiting' }, 'there is no paint'), wait(`paint of color ${widget.spec.color}`))
    const draft = setControllerReference({ metadata: refOf(widget), data: { color: widget.spec.color ?? '' } }, widget)
    return plan(
      ensure(ConfigMap, draft, 'its color must be known', { owns: ['data'] }),
      status(Widget, widget, { phase: 'Painted' }, 'there is paint'),
      widget.status?.phase === 'Painted' ? undefined : event(widget, 'Normal', 'Painted', `painted ${widget.spec.color}`),
    )
  },
}
