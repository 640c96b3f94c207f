import { signal } from '@preact/signals'
import { after, now } from '../clock.ts'
import { type Problem, refusalOf } from './request.ts'

/** How live what is shown is. */
export type Liveness =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** Everything that is shown is as it was then. */
  | { readonly state: 'reconnecting'; readonly since: number }

/** Of the one stream that the page has open. */
export const liveness = signal<Liveness>({ state: 'connecting' })

export interface Stream {
  close(): void
}

export interface Followed {
  /** Asked again for each connection: what is known by then need not be sent again. */
  readonly path: () => string
  readonly events: Readonly<Record<string, (data: unknown, id: string) => void>>
  /** Nothing comes for now: whoever asks may not, or there is nothing there. That may change, so it is asked again now and then. */
  readonly failed: (problem: Problem) => void
}

/** A page that nobody can see gives its connection back after so long: browsers have few for each server. */
const patience = 20_000
const firstPause = 1000
const longestPause = 15_000
const signInFirst = 401

/**
 * Follows events until it is closed.
 *
 * Browsers reconnect by themselves after a broken connection, but not after an answer that is an error. Then the server is asked why: it may be that nobody is
 * signed in any more, or that there is nothing to follow, or it will be back.
 */
export function follow({ path, events, failed }: Followed): Stream {
  let source: EventSource | undefined
  let isClosed = false
  let pause = firstPause
  let cancel = (): void => {}

  const lose = (): void => {
    if (liveness.value.state !== 'reconnecting') liveness.value = { state: 'reconnecting', since: now.value }
  }
  const open = (): void => {
    cancel()
    source?.close()
    if (isClosed) return
    source = new EventSource(path())
    // Whoever has missed nothing is told nothing, and is up to date all the same.
    source.addEventListener('open', () => {
      pause = firstPause
      liveness.value = { state: 'live' }
    })
    for (const [name, take] of Object.entries(events)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        take(JSON.parse(event.data), event.lastEventId)
      })
    }
    source.addEventListener('error', () => {
      lose()
      if (source?.readyState === EventSource.CLOSED) void retry()
    })
  }
  const retry = async (): Promise<void> => {
    const problem = await refusalOf(path())
    if (isClosed) return
    const isRefused = problem !== undefined && problem.code >= 400 && problem.code < 500
    if (isRefused) failed(problem)
    // Whoever is not signed in any more begins anew.
    if (problem?.code === signInFirst) return
    cancel = after(isRefused ? longestPause : pause, open)
    pause = Math.min(longestPause, pause * 2)
  }
  const look = (): void => {
    cancel()
    if (document.visibilityState === 'visible') {
      if (source === undefined || source.readyState === EventSource.CLOSED) open()
      return
    }
    cancel = after(patience, () => {
      source?.close()
      lose()
    })
  }
  document.addEventListener('visibilitychange', look)
  liveness.value = { state: 'connecting' }
  open()
  return {
    close() {
      isClosed = true
      cancel()
      source?.close()
      document.removeEventListener('visibilitychange', look)
    },
  }
}
