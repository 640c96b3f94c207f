/**
 * The web page of a fleet that lives: `windlass up` as people start it, a real browser, an upgrade from its start to its end on one page, a cluster that tells
 * why it does not get on, and a look at every other page that there is.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { pageFolder } from '@windlass/dashboard'
import type { Browser, Page } from 'playwright-core'
import { accessibilityProblems, screenshot, showsText, startBrowser, visit } from './support/browser.ts'
import { until } from './support/until.ts'
import { temporaryFolder, windlass } from './support/windlass.ts'

const folder = temporaryFolder()
let browser: Browser
let up: ChildProcess
let link: string

before(async () => {
  assert.ok(pageFolder() !== undefined, 'the page is not built: run npm run build')
  ;[browser, link] = await Promise.all([startBrowser(), start()])
})

after(async () => {
  await browser?.close()
  if (up.exitCode === null) {
    up.kill('SIGINT')
    await once(up, 'close')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Gives the link to the page that it prints. */
async function start(): Promise<string> {
  const args = ['up', '--port', '0', '--dashboard-port', '0', '--speed', '200']
  up = spawn(process.execPath, [windlass, ...args], { cwd: folder, env: { ...process.env, KUBECONFIG: '' } })
  let [said, complaints] = ['', '']
  up.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  up.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  await until('windlass up to be ready', () => {
    assert.equal(up.exitCode, null, complaints)
    return /Ctrl-C ends it/.test(said)
  })
  return /http:\S+#code=\S+/.exec(said)?.[0] ?? assert.fail(`it prints no link:\n${said}`)
}

/** Opens a cluster from the table. Whoever moves the pointer reads the table, which then stands still. */
async function open(page: Page, name: string): Promise<void> {
  await page.mouse.move(400, 400)
  await rowOf(page, name).getByRole('link', { name }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

const rowOf = (page: Page, name: string) => page.locator('.grid-row', { has: page.getByRole('link', { name, exact: true }) })

it(
  'an upgrade is asked for and watched to its end without loading the page again; a stalled cluster explains itself',
  { timeout: 600_000 },
  async (t) => {
    const { page, verify } = await visit(browser, link)
    page.setDefaultTimeout(180_000)
    await page.locator('.grid').waitFor()
    assert.equal(page.url().includes('code='), false)
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))

    // The fleet comes up before our eyes.
    await rowOf(page, 'prod-eu-1').getByText('Steady').waitFor()
    await open(page, 'prod-eu-1')
    await page.getByRole('button', { name: 'Upgrade' }).click()
    await page.getByLabel('Release image').fill('example.com/ocp/release:4.19.15-x86_64')
    await page.getByRole('dialog').getByRole('button', { name: 'Upgrade prod-eu-1' }).click()

    await page.locator('.badge').getByText('Upgrading').waitFor()
    await page.locator('.stretch-underway').first().waitFor()
    const parts = await page.locator('.node').count()
    const seen = new Set<number>()
    const isDone = async (): Promise<boolean> => {
      seen.add(await page.locator('.node-done').count())
      // Between the end of one side and the beginning of the other it may look as if all were done.
      const [badge, facts] = [await page.locator('.badge').first().textContent(), await page.locator('.facts').textContent()]
      return badge === 'Steady' && /Data plane4\.19\.15/.test(facts ?? '')
    }
    await screenshot(page, 'live-upgrading')
    await until('the upgrade to be done', isDone, 180_000)
    assert.ok(
      [...seen].some((count) => count > 0 && count < parts),
      `components were seen to roll: ${[...seen].join(', ')} of ${parts}`,
    )
    await showsText(() => page.locator('.facts').textContent(), /Control plane4\.19\.15.*Data plane4\.19\.15/)
    await screenshot(page, 'live-upgraded')

    await page.getByRole('link', { name: 'Fleet', exact: true }).first().click()
    await rowOf(page, 'prod-us-2').getByText('Stalled').waitFor()
    await open(page, 'prod-us-2')
    const why = page.getByRole('region', { name: 'Why is it waiting' })
    // On a slow machine it may still be waiting for what comes before.
    const chain = why.locator('.chain', { has: page.locator('.link.root', { hasText: 'Pod' }) }).first()
    await chain.waitFor()
    await until('the cause to be told', async () => /kube-apiserver.*pull/s.test((await chain.textContent()) ?? ''), 90_000)
    await screenshot(page, 'live-stalled')
    assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true)

    await t.test('every page of the fleet shows what it is about, and has no barriers', () => lookAround(page))
    verify()
  },
)

/** Every cluster as it is now, the managed upgrade of the classic one, and who is exposed. */
async function lookAround(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.goto(origin)
  await page.locator('.grid').waitFor()
  const links = page.locator('.grid-row .name a')
  await until('all clusters of the sample fleet', async () => (await links.count()) === 9)
  const paths = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
  for (const path of [...paths, '/clusters/classic-eu-1/upgrade', '/exposure?fixed-in=4.20.8,4.19.15']) {
    await page.goto(`${origin}${path}`)
    await page.locator('h1').waitFor()
    await page.locator('.loading').waitFor({ state: 'detached' })
    await screenshot(page, `live-page-${path.replaceAll(/\W+/g, '-').slice(1)}`)
    assert.deepEqual(await accessibilityProblems(page), [], path)
  }
  const [exposed] = await page.locator('.grid-row', { hasText: 'Vulnerable' }).allTextContents()
  assert.match(exposed ?? '', /prod-/)
}
