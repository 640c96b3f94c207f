/**
 * The web page in a real browser, in front of a server with scripted answers: every page in every state, ten thousand clusters, the address, live changes.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import { aRow, manyRows, minutesAgo, sampleRows, scriptedCode, scriptedToken } from '@windlass/dashboard/testing'
import type { Page } from 'playwright-core'
import { Stage } from './dashboard/stage.ts'
import { describeStates } from './dashboard/states.ts'
import { accessibilityProblems, screenshot, shows, showsText } from './support/browser.ts'
import { until } from './support/until.ts'

let stage: Stage
before(async () => {
  stage = await Stage.build()
})
afterEach(() => stage.clear())
after(() => stage.close())

const stalled = '/clusters/us-east/clusters/prod-us-2'
const rowsIn = (page: Page): Promise<readonly string[]> => page.locator('.grid-body .grid-row .name a').allTextContents()
const heading = (page: Page): Promise<string | null> => page.locator('h1').textContent()

describe('signing in', () => {
  it('by the link leads to the fleet, and the code is gone from the address', async () => {
    const { url } = await stage.serve({ rows: sampleRows, isOpen: false })
    const { page, verify } = await stage.visit(`${url}/#code=${scriptedCode}`)
    await page.locator('.figures').waitFor()
    await shows(async () => page.url(), `${url}/`)
    verify()
  })

  it('by a token leads to what the address asked for; a wrong one is refused in words', async () => {
    const { url } = await stage.serve({ rows: sampleRows, isOpen: false })
    const { page, verify } = await stage.visit(`${url}${stalled}`)
    await shows(() => heading(page), 'Sign in')
    assert.deepEqual(await accessibilityProblems(page), [])
    await screenshot(page, 'sign-in')
    await page.getByLabel('Bearer token').fill('nonsense')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('does not know this token').waitFor()
    await page.getByLabel('Bearer token').fill(scriptedToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'prod-us-2', level: 1 }).waitFor()
    await shows(async () => page.url(), `${url}${stalled}`)
    verify()
  })

  it('is asked for again when the session has ended, and after signing out', async () => {
    const { server, url } = await stage.serve({ rows: sampleRows })
    const { page } = await stage.visit(url)
    await page.locator('.figures').waitFor()
    server.signEverybodyOut()
    server.dropStreams()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${url}/sign-in#code=${scriptedCode}`)
    await page.locator('.figures').waitFor()
    await shows(async () => page.url(), `${url}/`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe('the fleet', () => {
  it('shows what needs somebody first, and a figure is a filter that the back button takes back', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(url)
    await page.locator('.grid').waitFor()
    await shows(async () => (await rowsIn(page)).slice(0, 3), ['prod-ap-1', 'prod-us-2', 'prod-eu-7'])
    await page.getByRole('button', { name: /^Stalled/ }).click()
    await shows(() => rowsIn(page), ['prod-ap-1', 'prod-us-2'])
    await shows(async () => new URL(page.url()).search, '?state=Stalled')
    await page.getByRole('button', { name: '4.18.19: 1 control plane (5%)' }).click()
    await shows(() => rowsIn(page), ['prod-ap-1'])
    await page.goBack()
    await shows(() => rowsIn(page), ['prod-ap-1', 'prod-us-2'])
    await page.goBack()
    await shows(async () => (await rowsIn(page)).length, sampleRows.length)
    await page.goForward()
    await page.reload()
    await page.locator('.grid').waitFor()
    await shows(() => rowsIn(page), ['prod-ap-1', 'prod-us-2'])
    await page.getByRole('button', { name: 'Remove the filter Stalled' }).click()
    await shows(async () => new URL(page.url()).search, '')
    verify()
  })

  it('never shows a member that cannot be reached as an empty one', async () => {
    const rows = sampleRows.map((row) => (row.member === 'us-east' ? { ...row, isCurrent: false } : row))
    const { server, url } = await stage.serve({ rows })
    const message = 'connection refused: is the management cluster up?'
    const members = server.members.map((member) =>
      member.name === 'us-east' ? { ...member, state: 'Unreachable' as const, since: minutesAgo(14), message } : member,
    )
    server.changeMembers(members)
    const { page, verify } = await stage.visit(url)
    const alert = page.getByRole('alert')
    await alert.getByText(/us-east cannot be reached for \d+m/).waitFor()
    await showsText(() => alert.textContent(), /6 clusters are shown as last known at 4 Mar 12:00\. connection refused/)
    await page.getByRole('button', { name: /^Unreachable/ }).click()
    await shows(async () => (await rowsIn(page)).length, 6)
    assert.deepEqual(await accessibilityProblems(page), [])
    await screenshot(page, 'fleet-unreachable')
    verify()
  })

  it('says that it is empty, that it is not known yet, that it cannot be shown, and that it is loading', async () => {
    const { server, url } = await stage.serve({ rows: [] })
    const { page, verify } = await stage.visit(url)
    await page.getByText('The fleet has no clusters').waitFor()
    assert.deepEqual(await accessibilityProblems(page), [])
    await screenshot(page, 'fleet-empty')
    server.changeMembers([{ name: 'eu-west', state: 'Connecting', since: minutesAgo(1), clusters: 0 }])
    await page.getByText('That is not the same as having none').waitFor()
    server.failWith({ code: 403, message: 'You may not list hosted clusters on eu-west.' })
    await page.reload()
    await page.getByText('You may not list hosted clusters on eu-west.').waitFor()
    server.failWith(undefined)
    const { promise, resolve } = Promise.withResolvers<void>()
    server.holdFor(promise)
    await page.reload()
    await page.getByText('Loading the fleet').waitFor()
    await screenshot(page, 'fleet-loading')
    resolve()
    await page.getByText('No clusters are known yet').waitFor()
    await page.goto(`${url}/nowhere`)
    await page.getByText('Nothing is at /nowhere').waitFor()
    verify()
  })

  it('goes on live: a row changes where it stands, is sorted when asked, and a lost connection is said and mended', async () => {
    const { server, url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(url)
    await page.locator('.grid').waitFor()
    const order = await rowsIn(page)
    await page.mouse.move(300, 300)
    server.change([{ ...server.row('eu-west/clusters/prod-eu-1'), attention: 'Stalled', summary: 'etcd is not ready' }])
    await page.locator('.grid-row', { hasText: 'etcd is not ready' }).waitFor()
    assert.deepEqual(await rowsIn(page), order, 'nothing moves while somebody reads')
    assert.match((await page.locator('[aria-live]').last().textContent()) ?? '', /prod-eu-1 has stalled: etcd is not ready/)
    await showsText(() => page.getByRole('button', { name: /^Stalled/ }).textContent(), /3/)
    // Else the table puts itself in order.
    await page.mouse.move(300, 310)
    await page.getByRole('button', { name: /sort now/ }).click()
    await shows(async () => (await rowsIn(page)).slice(0, 3), ['prod-ap-1', 'prod-eu-1', 'prod-us-2'])
    server.change([aRow({ name: 'brand-new', attention: 'Failing' })], ['eu-west/clusters/dev-eu-9'])
    await until('the table to put itself in order', async () => (await rowsIn(page)).includes('brand-new'), 15_000)
    await shows(async () => (await rowsIn(page)).includes('dev-eu-9'), false)
    server.failWith({ code: 503, message: 'The server is restarting.' })
    server.dropStreams()
    await page.getByText('The connection to the server is lost.').waitFor()
    await page
      .locator('.live')
      .getByText(/^Reconnecting since \d\d:\d\d:\d\d$/)
      .waitFor()
    await screenshot(page, 'fleet-reconnecting')
    server.failWith(undefined)
    await page.locator('.live').getByText('Live', { exact: true }).waitFor()
    await page.getByText('The connection to the server is lost.').waitFor({ state: 'detached' })
    verify()
  })
})

describe('ten thousand clusters', () => {
  it('are filtered, sorted and searched at once; the address keeps it; only what can be seen is drawn', async () => {
    const { url } = await stage.serve({ rows: manyRows(10_000) })
    const { page, verify } = await stage.visit(url)
    const grid = page.getByRole('grid', { name: 'Clusters' })
    await grid.waitFor()
    await shows(() => grid.getAttribute('aria-rowcount'), '10001')
    assert.ok((await page.locator('.grid-body .grid-row').count()) < 80)

    await page.getByRole('button', { name: 'Cluster', exact: true }).click()
    await shows(() => page.getByRole('columnheader', { name: 'Cluster' }).getAttribute('aria-sort'), 'ascending')
    const ascending = await rowsIn(page)
    assert.deepEqual(ascending, ascending.toSorted())
    await page.getByRole('button', { name: 'Cluster', exact: true }).click()
    await shows(() => page.getByRole('columnheader', { name: 'Cluster' }).getAttribute('aria-sort'), 'descending')
    await shows(async () => new URL(page.url()).search, '?sort=-name')

    await page.keyboard.press('/')
    await page.keyboard.type('prod tenant-7')
    const found = await rowsIn(page)
    assert.ok(found.length > 0 && found.every((name) => name.startsWith('prod-')))
    await showsText(async () => page.url(), /\?q=prod\+tenant-7&sort=-name$/)
    await page.keyboard.press('Escape')
    await shows(() => page.getByRole('searchbox').inputValue(), '')

    await grid.focus()
    await page.keyboard.press('End')
    // Drawn, and then named, when the page has scrolled to it.
    const last = page.locator('#row-9999')
    await last.waitFor()
    await shows(() => grid.getAttribute('aria-activedescendant'), 'row-9999')
    await shows(() => last.getAttribute('aria-rowindex'), '10001')
    assert.ok(await last.isVisible())
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowUp')
    await page.locator('.grid-row.active').waitFor()
    const active = await grid.getAttribute('aria-activedescendant')
    const name = await page.locator(`#${active} .name a`).textContent()
    const box = await page.locator(`#${active}`).boundingBox()
    assert.ok(box !== null && box.y >= 88 && box.y + box.height <= 900, 'the row is not under the heading, nor below the window')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: name ?? '', level: 1 }).waitFor()
    await shows(() => page.evaluate('document.activeElement.tagName'), 'H1', 'the focus is on the new page')
    await page.goBack()
    await grid.waitFor()
    await shows(async () => new URL(page.url()).search, '?sort=-name')
    await screenshot(page, 'fleet-10000', { isWhole: false })
    verify()
  })
})

describe('a cluster', () => {
  it('that is stalled explains itself, with a command to copy', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(`${url}${stalled}`)
    const panel = page.getByRole('region', { name: 'Why is it waiting' })
    await panel.getByText('ImagePullBackOff').waitFor()
    assert.deepEqual(await panel.locator('.chain').first().locator('.link-kind').allTextContents(), [
      'HostedCluster',
      'ControlPlaneComponent',
      'Deployment',
      'Pod',
    ])
    await panel.getByText('1 thing could not be looked at').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copy = panel.getByRole('button', { name: /^Copy the command .* describe pod / })
    await copy.click()
    await panel.getByText('Copied', { exact: true }).waitFor()
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^kubectl -n clusters-prod-us-2 describe pod/)
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await copy.click()
    await panel.getByText('Selected', { exact: true }).waitFor()
    assert.match(await page.evaluate<string>('getSelection().toString()'), /^kubectl -n clusters-prod-us-2 describe pod/)
    assert.equal(await page.getByRole('button', { name: 'Upgrade' }).count(), 0, 'nobody acts who may not')
    verify()
  })

  it('colours its components as they roll, and both lanes go on, without loading the page again', async () => {
    const { server, url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(`${url}/clusters/eu-west/clusters/prod-eu-2`)
    await page.locator('.node-done').first().waitFor()
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    await shows(() => page.locator('.node-done').count(), 23)
    await shows(() => page.locator('.stretch-underway').count(), 1)
    const row = server.row('eu-west/clusters/prod-eu-2')
    server.change([{ ...row, progress: { done: 30, total: 37 } }])
    await until('30 components', async () => (await page.locator('.node-done').count()) === 30)
    await page.getByRole('button', { name: 'List' }).click()
    await shows(() => page.getByRole('table').first().locator('tbody tr').count(), 37)
    const done = { version: '4.20.8', desired: '4.20.8', state: 'Completed', activeVersions: ['4.20.8'] } as const
    const { progress: _, estimatedEnd: __, summary: ___, ...rest } = row
    server.change([{ ...rest, attention: 'Steady', controlPlane: done, dataPlane: done }])
    await page.locator('.badge').getByText('Steady').waitFor()
    await shows(() => page.locator('.stretch-underway').count(), 0)
    assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true)
    server.change([], ['eu-west/clusters/prod-eu-2'])
    await page.getByText('prod-eu-2 has been deleted').waitFor()
    verify()
  })

  it('has a time line that keys and buttons move, with tips for keys too', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(`${url}/clusters/eu-west/clusters/prod-eu-1`)
    const history = page.getByRole('region', { name: 'Version history' })
    await history.locator('.stretch').first().waitFor()
    const given = history.locator('.stretch-givenup').first()
    await given.focus()
    await showsText(() => page.locator('.tip').textContent(), /4\.19\.8 was not completed/)
    await page.keyboard.press('Escape')
    await shows(() => page.locator('.tip').count(), 0)
    const before = await history.locator('.tick text').allTextContents()
    await page.keyboard.press('+')
    assert.notDeepEqual(await history.locator('.tick text').allTextContents(), before)
    await history.getByRole('button', { name: 'All' }).click()
    await shows(() => history.locator('.tick text').allTextContents(), before)
    verify()
  })

  it('is upgraded, paused and resumed after a second question, by those who may', async () => {
    const { server, url } = await stage.serve({ rows: sampleRows, mayAct: true })
    const { page, verify } = await stage.visit(`${url}/clusters/eu-west/clusters/prod-eu-1`)
    await page.getByRole('button', { name: 'Upgrade' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Release image').fill('4.20.8')
    await dialog.getByRole('button', { name: 'Upgrade prod-eu-1' }).click()
    await dialog.getByText('4.20.8 is not the pull spec of a release image.').waitFor()
    assert.deepEqual(await accessibilityProblems(page), [])
    await screenshot(page, 'cluster-upgrade-dialog', { isWhole: false })
    await dialog.getByLabel('Release image').fill('example.com/ocp/release:4.20.8-x86_64')
    await dialog.getByLabel('What is upgraded').selectOption('ControlPlane')
    await dialog.getByRole('button', { name: 'Upgrade prod-eu-1' }).click()
    await page.getByText('prod-eu-1: upgrade was asked for.').first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(`${url}/clusters/us-east/clusters/dev-us-4`)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume dev-us-4' }).click()
    await until('two actions', async () => server.actions.length === 2)
    assert.deepEqual(server.actions, [
      { do: 'upgrade', image: 'example.com/ocp/release:4.20.8-x86_64', side: 'ControlPlane' },
      { do: 'resume' },
    ])
    verify()
  })

  it('that is not there is said to be so', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(`${url}/clusters/eu-west/clusters/nobody`)
    await page.getByRole('heading', { name: 'There is no such cluster' }).waitFor()
    await page.getByText('The fleet has no cluster eu-west/clusters/nobody.').waitFor()
    await screenshot(page, 'cluster-missing')
    verify()
  })
})

describe('a managed upgrade', () => {
  it('shows its steps as a time line, and what the current one waits for', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(`${url}/clusters/classic-eu-1`)
    await page.getByRole('link', { name: 'Managed upgrade' }).click()
    await page.getByRole('heading', { name: 'Upgrade of classic-eu-1' }).waitFor()
    await shows(() => page.locator('.step').count(), 17)
    await showsText(() => page.locator('[aria-current="step"]').textContent(), /Wait for workers.*Waits for 3 of 6 worker nodes/)
    await page.getByText('FedRAMP tasks').waitFor()
    await page.goto(`${url}${stalled}/upgrade`)
    await page.getByText('It has no managed upgrade').waitFor()
    verify()
  })
})

describe('exposure', () => {
  it('is asked by versions, filtered, searched and exported as it is shown', async () => {
    const { url } = await stage.serve({ rows: sampleRows })
    const { page, verify } = await stage.visit(`${url}/exposure`)
    await page.getByText('Clusters of a minor that is not among them are Unknown, also those of a newer one.').waitFor()
    await page.getByLabel('Fixed in').fill('4.20')
    await page.keyboard.press('Enter')
    await page.getByText('4.20 is not a version: write three numbers').waitFor()
    await page.getByLabel('Fixed in').fill('4.20.8, 4.19.14')
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Clusters by exposure' }).waitFor()
    await shows(async () => new URL(page.url()).search, '?fixed-in=4.20.8,4.19.14')
    await page.getByRole('button', { name: /^Pending/ }).click()
    await shows(() => rowsIn(page), ['classic-eu-1'])
    await page.getByText('the update to 4.19.15 is not complete; "4.19.12" may still run').first().waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
    assert.equal(download.suggestedFilename(), 'exposure-4.20.8-4.19.14.csv')
    const csv = await readFile(await download.path(), 'utf8')
    assert.equal(csv.split('\r\n').length, 3)
    assert.match(csv, /^classic-eu-1,Pending,/m)
    await page.goBack()
    await shows(async () => (await rowsIn(page)).length, sampleRows.length)
    await page.goBack()
    await page.getByText('Which versions have the fix?').waitFor()
    await shows(() => page.getByLabel('Fixed in').inputValue(), '')
    verify()
  })
})

describe('states that are rare', () => describeStates(() => stage))
