/**
 * The web page for everybody, in a real browser: what a checker of accessibility says of every page in both themes, keys alone, colours of one's choice, a telephone.
 */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { sampleRows } from '@windlass/dashboard/testing'
import { Stage } from './dashboard/stage.ts'
import { accessibilityProblems, type Scheme, screenshot, shows } from './support/browser.ts'

let stage: Stage
before(async () => {
  stage = await Stage.build()
})
afterEach(() => stage.clear())
after(() => stage.close())

const stalled = '/clusters/us-east/clusters/prod-us-2'

describe('everybody can use it', () => {
  const pages: readonly (readonly [name: string, path: string, drawn: string])[] = [
    ['fleet', '/', '.grid'],
    ['cluster-stalled', stalled, '.chain'],
    ['cluster-upgrading', '/clusters/eu-west/clusters/prod-eu-2', '.node'],
    ['cluster-steady', '/clusters/eu-west/clusters/prod-eu-1', '.node'],
    ['cluster-installing', '/clusters/eu-west/clusters/stage-eu-3', '.node'],
    ['upgrade', '/clusters/classic-eu-1/upgrade', '.step'],
    ['exposure', '/exposure?fixed-in=4.20.8,4.19.14', '.grid'],
    ['exposure-unasked', '/exposure', '.empty'],
    ['missing', '/nowhere', '.empty'],
  ]
  for (const scheme of ['light', 'dark'] as const satisfies readonly Scheme[]) {
    it(`in ${scheme} colours: a checker of accessibility finds nothing on any page`, async () => {
      const { url } = await stage.serve({ rows: sampleRows, mayAct: true })
      const { page, verify } = await stage.visit(url, { scheme })
      for (const [name, path, drawn] of pages) {
        await page.goto(`${url}${path}`)
        await page.locator(drawn).first().waitFor()
        // Nothing but contrast differs between the themes.
        const rules = scheme === 'dark' ? ['color-contrast'] : undefined
        assert.deepEqual(await accessibilityProblems(page, rules), [], `${name} in ${scheme}`)
        await screenshot(page, `${name}-${scheme}`)
      }
      verify()
    })
  }

  it('chooses colours against the system, for good', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(url, { scheme: 'light' })
    const ground = (): Promise<string> => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const light = await ground()
    await page.getByLabel('Colours').selectOption('dark')
    assert.notEqual(await ground(), light)
    await page.reload()
    await page.locator('.grid').waitFor()
    await shows(() => page.getByLabel('Colours').inputValue(), 'dark')
    assert.notEqual(await ground(), light)
    verify()
  })

  it('with keys alone: skips to the content, sees the shortcuts, turns them off', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(url)
    await page.locator('.grid').waitFor()
    await page.keyboard.press('Tab')
    await shows(() => page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    assert.deepEqual(await accessibilityProblems(page), [])
    await screenshot(page, 'shortcuts', { isWhole: false })
    await page.getByLabel('Keys of one letter').uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('e')
    await shows(() => page.locator('h1').textContent(), 'Fleet')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByLabel('Keys of one letter').check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await page.getByRole('heading', { name: 'Exposure', level: 1 }).waitFor()
    verify()
  })

  it('on a telephone', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(url, { width: 390, height: 800 })
    for (const [name, path, drawn] of [
      ['fleet', '/', '.grid'],
      ['cluster', stalled, '.chain'],
    ] as const) {
      await page.goto(`${url}${path}`)
      await page.locator(drawn).first().waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${name} is not wider than the screen`)
      await screenshot(page, `${name}-telephone`)
    }
    verify()
  })
})
