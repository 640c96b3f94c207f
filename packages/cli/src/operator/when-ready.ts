import { once } from 'node:events'
import type { Runnable } from '@windlass/kube'

/** Says something once everything runs: what runs in every replica is started when the caches are filled. */
export function whenReady(say: () => void): Runnable {
  return {
    name: 'announcement',
    needsLeadership: false,
    async run(signal) {
      say()
      if (!signal.aborted) await once(signal, 'abort')
    },
  }
}
