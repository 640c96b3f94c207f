import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/tools/chromium.ts'
import { until } from './until.ts'

export type Scheme = 'light' | 'dark'

export interface VisitOptions {
  readonly scheme?: Scheme
  readonly width?: number
  readonly height?: number
}

/** A page in a browser of its own profile, and what it must not do. */
export interface Visit {
  readonly page: Page
  /** Fails if anything went wrong behind the scenes: errors on the console, requests to anywhere else, violations of the content security policy. */
  readonly verify: () => void
  readonly close: () => Promise<void>
}

/** Milliseconds in which a page must have been drawn anew. */
const patience = 5_000

const screenshots = join(import.meta.dirname, '../../.windlass/screenshots')
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function startBrowser(): Promise<Browser> {
  const { path, env } = await findChromium()
  // Root has no sandbox, and tests in containers are root.
  return chromium.launch({ executablePath: path, env: { ...process.env, ...env }, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

/** Opens an address and waits until the page has drawn something. */
export async function visit(
  browser: Browser,
  url: string,
  { scheme = 'light', width = 1440, height = 900 }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    acceptDownloads: true,
    ignoreHTTPSErrors: true,
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const { origin } = new URL(url)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser's own note of an answer that is an error. What the page makes of it is what tests look at.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if ((message.type() === 'error' || message.type() === 'warning') && !isAnswer) problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) problems.push(`request to ${request.url()}`)
  })
  await page.goto(url)
  await page.locator('h1, .loading').first().waitFor()
  return {
    page,
    verify: () => assert.deepEqual(problems, []),
    close: () => context.close(),
  }
}

/** What an established checker of accessibility finds; of some rules, if they are named. */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const found = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] }>
      }
    }
    return (await axe.run(only === undefined ? {} : { runOnly: only })).violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }))
  }, rules)
  return found.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.slice(0, 3).join('\n  ')}`)
}

/** Kept for people: the documents show some of them, and whoever changes the page looks at all of them. */
export async function screenshot(page: Page, name: string, { isWhole = true } = {}): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  // What sticks to the window would be in the middle of the picture.
  if (isWhole) await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: isWhole, animations: 'disabled' })
}

/** What a page shows in the end, if not at once: it is drawn anew some time after a click or an answer, and nobody is told when. */
export async function shows<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const isSo = async (): Promise<boolean> => isDeepStrictEqual(await read(), expected)
  await until('the page to show it', isSo, patience).catch(() => {})
  assert.deepEqual(await read(), expected, message)
}

/** The same for a text. */
export async function showsText(read: () => Promise<string | null>, expected: RegExp): Promise<void> {
  const isSo = async (): Promise<boolean> => expected.test((await read()) ?? '')
  await until('the page to show it', isSo, patience).catch(() => {})
  assert.match((await read()) ?? '', expected)
}
