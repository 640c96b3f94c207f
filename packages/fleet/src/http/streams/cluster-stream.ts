import type { Cancel, Clock } from '@windlass/core'
import type { ClusterId } from '../../contract/index.ts'
import type { Fleet } from '../../model/fleet.ts'
import type { EventStream } from './event-stream.ts'

/** A cluster in full is read anew at most this often: people do not see more, and members are asked for its events. */
export const pause = 500

/** Sends a cluster in full, and again whenever something of it has changed. `gone` when there is none any more; it may come again. */
export function sendCluster(stream: EventStream, fleet: Pick<Fleet, 'cluster' | 'follow'>, id: ClusterId, clock: Clock): void {
  let isDue = false
  let resting: Cancel | undefined
  let isReading = false

  const send = async (): Promise<void> => {
    isDue = false
    isReading = true
    try {
      const view = await fleet.cluster(id)
      if (view === undefined) stream.send('gone', JSON.stringify({ id }))
      else stream.send('cluster', JSON.stringify(view))
    } finally {
      isReading = false
    }
    if (!stream.isOpen) return
    resting = clock.after(pause, () => {
      resting = undefined
      if (isDue) begin()
    })
  }
  // Whoever reads it comes again, and is told then what is wrong.
  const begin = (): void => void send().catch(() => stream.close())

  const stop = fleet.follow(id, () => {
    isDue = true
    if (!isReading && resting === undefined) begin()
  })
  stream.onClose(() => {
    stop()
    resting?.()
  })
  begin()
}
