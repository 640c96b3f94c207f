import { computed, effect, signal } from '@preact/signals'
import type { ExposureView } from '@windlass/fleet/contract'
import { type ExposureQuery, readExposureQuery, writeExposureQuery } from '../../src/address/index.ts'
import { rewriteSearch, search } from '../address.ts'
import { after, synchronise } from '../clock.ts'
import { fleet } from '../server/fleet.ts'
import { ask, Problem } from '../server/request.ts'

export type Answer =
  | { readonly state: 'asking' }
  | { readonly state: 'known'; readonly view: ExposureView }
  | { readonly state: 'failed'; readonly problem: string }

/** What the page asks: read from the address, and changed by writing it. */
export const query = computed(() => readExposureQuery(search.value))
export const answer = signal<Answer>({ state: 'asking' })

export function choose(change: Partial<ExposureQuery>, isStep = true): void {
  rewriteSearch(writeExposureQuery({ ...query.value, ...change }), { isStep })
}

/** Between two questions while the fleet changes. */
const pause = 3000

/** After a question that failed. */
const failedPause = 15_000

/** Asks whenever other versions are given, and again when the fleet has changed, or when there was no answer. */
export function keepAsking(): () => void {
  const asked = computed(() => query.value.fixedIn.join(','))
  let abort = new AbortController()
  let isResting = false
  let cancel = (): void => {}
  let cancelRetry = (): void => {}
  const run = async (versions: string): Promise<void> => {
    cancelRetry()
    abort.abort()
    abort = new AbortController()
    const { signal: mine } = abort
    try {
      const view = await ask<ExposureView>(`/api/v1/exposure?fixed-in=${versions.split(',').map(encodeURIComponent).join(',')}`, {
        signal: mine,
      })
      synchronise(view.time)
      answer.value = { state: 'known', view }
    } catch (error) {
      if (mine.aborted) return
      answer.value = { state: 'failed', problem: error instanceof Problem ? error.message : String(error) }
      cancelRetry = after(failedPause, () => void run(versions))
    }
  }
  const endVersions = effect(() => {
    const versions = asked.value
    cancelRetry()
    answer.value = { state: 'asking' }
    if (versions !== '') void run(versions)
  })
  let before = fleet.peek()
  const endFleet = effect(() => {
    const next = fleet.value
    if (next === before || before === undefined) {
      before = next
      return
    }
    before = next
    if (isResting || asked.peek() === '') return
    isResting = true
    cancel = after(pause, () => {
      isResting = false
      if (asked.peek() !== '') void run(asked.peek())
    })
  })
  return () => {
    abort.abort()
    cancel()
    cancelRetry()
    endVersions()
    endFleet()
  }
}
