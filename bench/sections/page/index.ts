import { buildPage } from '@windlass/dashboard/build'
import { manyRows, ScriptedServer } from '@windlass/dashboard/testing'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../../../test/support/browser.ts'
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import { bytesOfPage, firstRowsAfter, forgetLongTasks, installProbe, longestTask, paintedAt } from './probe.ts'

const clusters = 10_000

/** The web page of a large fleet in a real browser, by the browser's own clock. The server answers at once with what it has made before. */
export async function measurePage(bench: Bench): Promise<void> {
  const folder = bench.folder()
  await buildPage(folder)
  const server = new ScriptedServer({ folder, rows: manyRows(clusters) })
  const url = await server.start()
  await fetch(`${url}/api/v1/fleet`).then((response) => response.arrayBuffer())
  const browser = await startBrowser()
  try {
    const name = `${clusters.toLocaleString('en-US')} clusters`
    const views: number[] = []
    for (let round = 0; round < bench.rounds; round++) views.push(await firstView(browser, url))
    bench.add({ name: `page: first view of ${name}`, value: medianOf(views), unit: 'ms', goal: goals.pageFirstView })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await installProbe(page)
    await page.goto(url)
    await firstRowsAfter(page)
    bench.add({ name: 'page: first load, compressed', value: (await bytesOfPage(page)) / 1024, unit: 'KB', goal: goals.pageBytes })
    const updates = await measureUpdates(page, server, bench.settings.isQuick ? 15 : 40)
    bench.add({ name: `page: update of one of ${name}, sent to painted`, value: medianOf(updates), unit: 'ms', goal: goals.pageUpdate })
    // The longest of hundreds may be whatever else the machine did meanwhile: no single round decides. The worst one is told all the same.
    const scrolls: number[] = []
    for (let round = 0; round < bench.rounds; round++) scrolls.push(await scroll(page))
    bench.add({ name: `page: longest task in a scroll over ${name}`, value: medianOf(scrolls), unit: 'ms', goal: goals.pageTask })
    bench.add({ name: `page: the same in the worst of ${bench.rounds} rounds`, value: Math.max(...scrolls), unit: 'ms' })
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function firstView(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await installProbe(page)
    await page.goto(url)
    return await firstRowsAfter(page)
  } finally {
    await context.close()
  }
}

/** Each to a row that is on the screen. */
async function measureUpdates(page: Page, server: ScriptedServer, count: number): Promise<readonly number[]> {
  const name = (await page.locator('.grid-body .grid-row .name a').first().getAttribute('href'))?.replace('/clusters/', '') ?? ''
  const times: number[] = []
  for (let number = 0; number < count; number++) {
    const mark = `mark ${number}`
    const row = { ...server.row(name), summary: mark }
    const sent = performance.timeOrigin + performance.now()
    server.change([row])
    times.push((await paintedAt(page, mark)) - sent)
  }
  return times
}

/** Down by the wheel, to the end and back by keys. */
async function scroll(page: Page): Promise<number> {
  await page.mouse.move(700, 600)
  await forgetLongTasks(page)
  for (let turn = 0; turn < 150; turn++) await page.mouse.wheel(0, 900)
  await page.locator('.grid').focus()
  for (const key of ['End', 'PageUp', 'PageUp', 'Home', 'PageDown', 'PageDown']) await page.keyboard.press(key)
  return longestTask(page)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
