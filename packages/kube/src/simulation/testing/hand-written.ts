import { ConfigMap } from '@windlass/api'
import { isAlreadyExists } from '../../client/index.ts'
import type { Program } from '../process/index.ts'
import { Widget } from './widgets.ts'

/**
 * A controller without a toolkit: looks at everything once a second, gives each Widget a ConfigMap and a status, and takes failures as
 * they come.
 */
export const handWritten: Program = async ({ client, clock, log, signal }) => {
  for (;;) {
    try {
      for await (const widget of client.list(Widget, { signal })) {
        const { namespace = '', name = '' } = widget.metadata
        if ((await client.find(ConfigMap, { namespace, name }, { signal })) === undefined) {
          await client.create(ConfigMap, { metadata: { namespace, name }, data: { replicas: String(widget.spec.replicas) } }, { signal })
        }
        if (widget.status?.phase !== 'Ready')
          await client.patchStatus(Widget, { namespace, name }, { status: { phase: 'Ready' } }, { signal })
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isAlreadyExists(error)) log.warn({ error }, 'this round failed')
    }
    await clock.sleep(1000, signal)
  }
}
