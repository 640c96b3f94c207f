import type { Page } from 'playwright-core'

/**
 * Runs in the page before anything of it: notes, by the browser's own clock, when rows were painted, when a marked row was, and how long tasks took.
 *
 * What is changed in a frame is painted before the next task: a task that is asked for within the frame runs right after the paint.
 */
const script = `(() => {
  const probe = (globalThis.probe = { firstRows: undefined, marks: {}, longest: 0 })
  const painted = (run) => requestAnimationFrame(() => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => run(performance.timeOrigin + performance.now())
    channel.port2.postMessage(undefined)
  })
  const look = () => {
    if (probe.firstRows === undefined && document.querySelector('.grid-body .grid-row') !== null) {
      probe.firstRows = 0
      painted((at) => (probe.firstRows = at - performance.timeOrigin))
    }
    const mark = document.querySelector('.c-summary [title^="mark "]')?.getAttribute('title')
    if (mark != null && probe.marks[mark] === undefined) {
      probe.marks[mark] = 0
      painted((at) => (probe.marks[mark] = at))
    }
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['title'] })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) probe.longest = Math.max(probe.longest, entry.duration)
  }).observe({ type: 'longtask', buffered: true })
})()`

interface Probed {
  readonly probe: { readonly firstRows?: number; readonly marks: Readonly<Record<string, number>> }
}

export async function installProbe(page: Page): Promise<void> {
  await page.addInitScript(script)
}

/** Milliseconds from the navigation until rows were painted. */
export async function firstRowsAfter(page: Page): Promise<number> {
  await page.waitForFunction(() => ((globalThis as unknown as Probed).probe.firstRows ?? 0) > 0)
  return page.evaluate<number>('globalThis.probe.firstRows')
}

/** When a row was painted that says this, on the clock of the machine. */
export async function paintedAt(page: Page, mark: string): Promise<number> {
  await page.waitForFunction((name) => ((globalThis as unknown as Probed).probe.marks[name] ?? 0) > 0, mark)
  return page.evaluate<number>(`globalThis.probe.marks[${JSON.stringify(mark)}]`)
}

export async function forgetLongTasks(page: Page): Promise<void> {
  await page.evaluate('globalThis.probe.longest = 0')
}

/** Milliseconds of the longest task since; the browser counts those of 50 and more. */
export async function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.probe.longest')
}

/** Bytes that were sent for the page itself, compressed, without what it asked afterwards. */
export async function bytesOfPage(page: Page): Promise<number> {
  return page.evaluate<number>(`performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .filter(({ name }) => !new URL(name).pathname.startsWith('/api/'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
}
