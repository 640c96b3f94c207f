import { signal } from '@preact/signals'
import type { ClusterView, WhyView } from '@windlass/fleet/contract'
import { clusterApiPath, type ClusterParts, idOf } from '../../src/address/index.ts'
import { after, synchronise } from '../clock.ts'
import { announce } from '../parts/announcer.tsx'
import { ask, Problem } from './request.ts'
import { follow, type Stream } from './stream.ts'

/** The cluster whose page is open. */
export const cluster = signal<ClusterView | undefined>(undefined)
export const clusterProblem = signal<Problem | undefined>(undefined)

/** Why it waits, as last asked. */
export type Why =
  | { readonly state: 'asking' }
  | { readonly state: 'known'; readonly view: WhyView }
  | { readonly state: 'failed'; readonly problem: string }
export const why = signal<Why>({ state: 'asking' })

/** Pause between two questions why, however often the cluster changes: the answer is gathered from many objects. */
const whyPause = 2000
/** What it waits for may change though the cluster does not, and a question that failed must not stand for an answer for good. */
const whyAtLeastEvery = 30_000

/** Begins to follow a cluster, and to ask why it waits whenever it changes. */
export function followCluster(parts: ClusterParts): Stream {
  if (cluster.value?.row.id !== idOf(parts)) cluster.value = undefined
  clusterProblem.value = undefined
  why.value = { state: 'asking' }
  const questions = askingWhy(parts)
  const stream = follow({
    path: () => clusterApiPath(parts, 'stream'),
    events: {
      cluster: (data) => {
        const view = data as ClusterView
        tell(cluster.value, view)
        clusterProblem.value = undefined
        cluster.value = view
        synchronise(view.time)
        questions.renew()
      },
      // It may come again, under the same name.
      gone: () => {
        cluster.value = undefined
        clusterProblem.value = new Problem(404, `${idOf(parts)} has been deleted.`)
        announce(`${parts.at(-1)} has been deleted.`)
      },
    },
    failed: (problem) => (clusterProblem.value = problem),
  })
  return {
    close() {
      questions.stop()
      stream.close()
    },
  }
}

function tell(before: ClusterView | undefined, { row }: ClusterView): void {
  if (before === undefined || before.row.attention === row.attention) return
  announce(`${row.name} is now ${row.attention.toLowerCase()}${row.summary === undefined ? '' : `: ${row.summary}`}.`)
}

export function forgetCluster(): void {
  cluster.value = undefined
}

/** Asks at once, again after each change, with a pause between, and again when nothing has changed for a while. */
function askingWhy(parts: ClusterParts): { renew(): void; stop(): void } {
  const abort = new AbortController()
  let state: 'idle' | 'asking' | 'asking, and again' = 'idle'
  let cancel = (): void => {}
  const rest = (): void => {
    cancel = after(whyAtLeastEvery - whyPause, () => (document.visibilityState === 'visible' ? void run() : rest()))
  }
  const run = async (): Promise<void> => {
    cancel()
    state = 'asking'
    try {
      const view = await ask<WhyView>(clusterApiPath(parts, 'why'), { signal: abort.signal })
      synchronise(view.time)
      why.value = { state: 'known', view }
    } catch (error) {
      if (abort.signal.aborted) return
      why.value = { state: 'failed', problem: error instanceof Problem ? error.message : String(error) }
    }
    cancel = after(whyPause, () => {
      const isWanted = state === 'asking, and again'
      state = 'idle'
      if (isWanted) void run()
      else rest()
    })
  }
  return {
    renew() {
      if (state === 'idle') void run()
      else state = 'asking, and again'
    },
    stop() {
      cancel()
      abort.abort()
    },
  }
}
