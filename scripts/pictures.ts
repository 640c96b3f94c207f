/**
 * Takes the pictures of the web page that the documents show, from the scripted fleet that tests look at: `npm run pictures`. They are the same each time, but for
 * ages that go on while they are taken.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPage } from '@windlass/dashboard/build'
import { sampleRows, ScriptedServer } from '@windlass/dashboard/testing'
import { startBrowser } from '../test/support/browser.ts'

const images = join(import.meta.dirname, '../docs/images')

/** What is drawn last, and how much of the page is shown. */
const pictures: readonly { readonly name: string; readonly path: string; readonly drawn: string; readonly height: number }[] = [
  { name: 'fleet', path: '/', drawn: '.grid-row', height: 1120 },
  { name: 'cluster', path: '/clusters/us-east/clusters/prod-us-2', drawn: '.chain', height: 1330 },
  { name: 'exposure', path: '/exposure?fixed-in=4.20.8,4.19.14', drawn: '.grid-row', height: 900 },
  { name: 'upgrade', path: '/clusters/classic-eu-1/upgrade', drawn: '.step', height: 1010 },
]
/** As wide as a page of text, of a window that is as wide as people have it. */
const [width, scale] = [1440, 0.75]

const folder = mkdtempSync(join(tmpdir(), 'windlass-pictures-'))
const server = new ScriptedServer({ folder: join(folder, 'dist'), rows: sampleRows })
const [browser, url] = await Promise.all([startBrowser(), server.start(), buildPage(join(folder, 'dist'))])
try {
  for (const { name, path, drawn, height } of pictures) {
    const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme: 'light' })
    await page.goto(`${url}${path}`)
    await page.locator(drawn).first().waitFor()
    await page.screenshot({ path: join(images, `${name}.png`), animations: 'disabled' })
    await page.close()
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
