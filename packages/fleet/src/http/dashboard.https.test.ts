import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { ExposureView, FleetView } from '../contract/index.ts'
import { aPage, fakeDoor, type Given } from './testing/page.ts'
import { aRow } from '../fixtures/index.ts'

const rows = [aRow(), aRow({ name: 'stage' }), aRow({ member: 'classic', kind: 'Classic' })]

const messageIn = (given: Given): string => String(given.json()['message'])

const folder = mkdtempSync(join(tmpdir(), 'windlass-page-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Windlass</title>')
writeFileSync(join(folder, 'assets', 'main-1a2b3c4d.js'), `export const answer = ${'1 + '.repeat(1000)}1`)
writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
after(() => rmSync(folder, { recursive: true }))

describe('the server of the page, to a stranger', () => {
  it('gives the page and its files, and nothing of the fleet', async () => {
    await using page = await aPage(rows, { page: folder })
    for (const path of ['/', '/clusters/east/clusters/prod', '/clusters/api.east.example.com', '/exposure?fixed-in=4.20.3']) {
      const { status, text, headers } = await page.ask(path)
      assert.deepEqual([status, headers['cache-control']], [200, 'no-cache'], path)
      assert.match(text, /<title>Windlass/)
    }
    for (const path of ['session', 'fleet', 'stream', 'exposure?fixed-in=4.20.3', 'clusters/classic', 'clusters/east/clusters/prod/why']) {
      const answer = await page.ask(`/api/v1/${path}`)
      assert.equal(answer.status, 401, path)
      assert.match(messageIn(answer), /^You are not signed in: use the link/)
    }
    assert.equal((await page.ask('/api/v1/clusters/classic/actions', { method: 'POST', body: { do: 'resume' } })).status, 401)
  })

  it('keeps files with hashed names for ever, and says when they are of another version', async () => {
    await using page = await aPage(rows, { page: folder })
    const found = await page.ask('/assets/main-1a2b3c4d.js', { headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(found.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(found.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.match(brotliDecompressSync(found.raw).toString(), /^export const answer/)
    assert.ok(found.raw.length < 200)
    assert.match((await page.ask('/assets/main-1a2b3c4d.js')).text, /^export const answer/)
    assert.equal((await page.ask('/assets/main-00000000.js')).status, 404)
    assert.equal((await page.ask('/favicon.svg')).headers['content-type'], 'image/svg+xml')
    const { headers } = await page.ask('/')
    assert.equal((await page.ask('/', { headers: { 'if-none-match': headers['etag'] ?? '' } })).status, 304)
  })

  it('leads nowhere out of its folder', async () => {
    await using page = await aPage(rows, { page: join(folder, 'assets') })
    for (const path of ['/../index.html', '/%2e%2e/favicon.svg', '/assets/..%2f..%2fetc%2fpasswd', '//etc/passwd']) {
      assert.doesNotMatch((await page.ask(path)).text, /svg|root:|<title>Windlass<\/title>$/, path)
    }
  })

  it('says how to build a page that is not there', async () => {
    await using page = await aPage(rows)
    assert.match((await page.ask('/')).text, /npm run build/)
  })

  it('lets nothing in from elsewhere: headers of every answer', async () => {
    await using page = await aPage(rows, { page: folder })
    for (const path of ['/', '/api/v1/fleet', '/healthz', '/assets/none.js']) {
      const { headers } = await page.ask(path)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'self';.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
    }
  })

  it('tells how it is without a session', async () => {
    await using page = await aPage(rows)
    assert.deepEqual([(await page.ask('/healthz')).text, (await page.ask('/readyz')).text], ['ok\n', 'ok\n'])
    page.fleet.isConnecting = true
    const { status, text } = await page.ask('/readyz')
    assert.deepEqual([status, text], [503, 'not ready: nothing is known yet of east, classic\n'])
  })

  it('does not answer to names of other machines, which were made to lead here', async () => {
    await using page = await aPage(rows)
    const { status, text } = await page.ask('/', { headers: { host: 'evil.example.com:8080' } })
    assert.equal(status, 421)
    assert.match(text, /does not answer to the name evil\.example\.com:8080: use 127\.0\.0\.1 or localhost/)
    assert.equal((await page.ask('/', { headers: { host: 'localhost:8080' } })).status, 200)
  })
})

describe('signing in', () => {
  it('by the link works once, with the rights of whoever started it', async () => {
    const used: string[] = []
    await using page = await aPage(rows, { onLinkUsed: () => used.push('used') })
    const { link } = page.server
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{32}$/)
    const answer = await page.useLink()
    assert.deepEqual(answer.json(), { user: 'root', mayAct: false, version: '0.0.0' })
    assert.deepEqual(used, ['used'])
    assert.notEqual(page.server.link, link)
    const code = new URL(link).hash.replace('#code=', '')
    const again = await page.ask('/api/v1/session', { method: 'POST', body: { code } })
    assert.equal(again.status, 401)
    assert.match(messageIn(again), /^The link was used already/)
    assert.equal((await page.ask('/api/v1/fleet')).status, 200)
  })

  it('gives a cookie that scripts cannot read and other pages cannot use', async () => {
    await using page = await aPage(rows)
    const { headers } = await page.signIn('alice')
    assert.match(
      String(headers['set-cookie']),
      new RegExp(`^windlass-session-${page.server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    )
    assert.deepEqual((await page.ask('/api/v1/session')).json(), { user: 'alice', mayAct: false, version: '0.0.0' })
    assert.equal((await page.ask('/api/v1/session', { method: 'DELETE' })).status, 204)
    assert.equal((await page.ask('/api/v1/session')).status, 401)
  })

  it('ends after an hour of rest, and after twelve in any case', async () => {
    await using page = await aPage(rows)
    await page.signIn('alice')
    for (let minutes = 0; minutes < 11 * 60 + 55; minutes += 55) {
      assert.equal((await page.ask('/api/v1/session')).status, 200)
      await page.clock.advance(55 * 60_000)
    }
    await page.clock.advance(10 * 60_000)
    assert.equal((await page.ask('/api/v1/session')).status, 401)
    await page.signIn('alice')
    await page.clock.advance(60 * 60_000)
    assert.equal((await page.ask('/api/v1/session')).status, 401)
  })

  it('says which member does not know a token, or what rights are missing', async () => {
    const door = fakeDoor('east', { alice: ['hostedclusters'], mallory: [] })
    await using page = await aPage(rows, { doors: [door] })
    const unknown = await page.signIn('nobody')
    assert.deepEqual(
      [unknown.status, messageIn(unknown)],
      [401, 'The token is not known to east: it has expired, or is of another cluster.'],
    )
    const forbidden = await page.signIn('mallory')
    assert.equal(forbidden.status, 403)
    assert.match(messageIn(forbidden), /^mallory may neither list hostedclusters\.hypershift\.openshift\.io nor get clusterversions/)
    door.isDown = true
    const silent = await page.signIn('alice')
    assert.equal(silent.status, 503)
    assert.match(messageIn(silent), /east: east cannot be reached/)
    for (const body of [{}, { token: 7 }, { token: 'two words' }, 'no json']) {
      assert.equal((await page.ask('/api/v1/session', { method: 'POST', body })).status, 400, JSON.stringify(body))
    }
  })

  it('cannot be had by trying', async () => {
    await using page = await aPage(rows)
    for (let tries = 0; tries < 10; tries++) assert.equal((await page.signIn('guess')).status, 401)
    const blocked = await page.signIn('alice')
    assert.deepEqual([blocked.status, blocked.headers['retry-after']], [429, '60'])
    await page.clock.advance(60_000)
    assert.equal((await page.signIn('alice')).status, 200)
  })

  it('is over when the cluster does not know the token any more, but not when it does not answer', async () => {
    const door = fakeDoor('east')
    await using page = await aPage(rows, { doors: [door] })
    await page.signIn('alice')
    door.isDown = true
    await page.clock.advance(61_000)
    assert.equal((await page.ask('/api/v1/fleet')).status, 200)
    door.isDown = false
    door.rights = {}
    await page.clock.advance(61_000)
    assert.equal((await page.ask('/api/v1/fleet')).status, 401)
  })

  it('cannot be done, and nothing else either, from pages of others', async () => {
    await using page = await aPage(rows, { allowsActions: true })
    await page.signIn('alice')
    const body = { do: 'pause' }
    for (const headers of [
      { origin: 'https://evil.example.com' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: page.server.url },
      { origin: 'null' },
    ] satisfies Record<string, string>[]) {
      const answer = await page.ask('/api/v1/clusters/east/clusters/prod/actions', { method: 'POST', body, headers })
      assert.equal(answer.status, 403, JSON.stringify(headers))
      assert.match(messageIn(answer), /^The request comes from another page/)
    }
    const form = { 'content-type': 'text/plain' }
    assert.equal((await page.ask('/api/v1/session', { method: 'POST', body: '{}', headers: form })).status, 415)
    const own = { origin: page.server.url, 'sec-fetch-site': 'same-origin' }
    assert.equal((await page.ask('/api/v1/clusters/east/clusters/prod/actions', { method: 'POST', body, headers: own })).status, 200)
  })
})

describe('answers to people who are signed in', () => {
  it('are the fleet, in fewer bytes if they like', async () => {
    const many = Array.from({ length: 20 }, (_, index) => aRow({ name: `prod-${index}` }))
    await using page = await aPage(many)
    await page.useLink()
    assert.deepEqual((await page.ask('/api/v1/fleet')).json(), page.fleet.view())
    for (const [encoding, open] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { headers, raw } = await page.ask('/api/v1/fleet', { headers: { 'accept-encoding': encoding } })
      assert.equal(headers['content-encoding'], encoding)
      assert.deepEqual(JSON.parse(open(raw).toString()), page.fleet.view())
    }
    assert.equal((await page.ask('/api/v1/fleet', { headers: { 'accept-encoding': 'br;q=0' } })).headers['content-encoding'], undefined)
  })

  it('leave out what they may not see', async () => {
    const doors = [fakeDoor('east', { carol: ['clusterversions'] }), fakeDoor('classic', { carol: ['clusterversions'] })]
    await using page = await aPage(rows, { doors })
    await page.signIn('carol')
    const fleet = (await page.ask('/api/v1/fleet')).json() as unknown as FleetView
    assert.deepEqual(
      [fleet.clusters.map(({ id }) => id), fleet.figures.clusters, fleet.members.map(({ name, clusters }) => `${name} ${clusters}`)],
      [['classic'], 1, ['east 0', 'classic 1']],
    )
    assert.equal((await page.ask('/api/v1/clusters/east/clusters/prod')).status, 404)
    assert.equal((await page.ask('/api/v1/clusters/classic/why')).json()['verdict'], 'classic waits for nothing.')
    const exposure = (await page.ask('/api/v1/exposure?fixed-in=4.20.3')).json() as unknown as ExposureView
    assert.deepEqual(
      [exposure.counts, exposure.clusters.map(({ id }) => id)],
      [{ Fixed: 0, Pending: 0, Vulnerable: 1, Unknown: 0 }, ['classic']],
    )
  })

  it('are one cluster, why it waits, and who is exposed', async () => {
    await using page = await aPage(rows)
    await page.useLink()
    assert.deepEqual((await page.ask('/api/v1/clusters/east/clusters/prod')).json()['row'], rows[0])
    assert.equal((await page.ask('/api/v1/clusters/classic')).status, 200)
    assert.equal((await page.ask('/api/v1/clusters/east/clusters/prod/why')).json()['id'], 'east/clusters/prod')
    assert.deepEqual((await page.ask('/api/v1/exposure?fixed-in=4.20.3,%204.19.19')).json()['fixedIn'], ['4.20.3', '4.19.19'])
    assert.equal((await page.ask('/api/v1/exposure')).status, 400)
    const nonsense = await page.ask('/api/v1/exposure?fixed-in=nonsense')
    assert.deepEqual(nonsense.json(), { code: 400, message: '"nonsense" is no version' })
    for (const path of [
      'clusters/west',
      'clusters/east/clusters/none',
      'clusters/east/clusters',
      'clusters',
      'clusters/a/b/c/d',
      'nothing',
    ]) {
      assert.equal((await page.ask(`/api/v1/${path}`)).status, 404, path)
    }
    assert.equal((await page.ask('/api/v1/fleet', { method: 'POST', body: {} })).status, 405)
    assert.equal((await page.ask('/api/v1/%zz')).status, 400)
  })
})

describe('actions', () => {
  const path = '/api/v1/clusters/east/clusters/prod/actions'
  const image = 'example.com/ocp/release:4.20.3-x86_64'

  it('are refused unless the server was started for them', async () => {
    await using page = await aPage(rows)
    await page.signIn('alice')
    const { status, text } = await page.ask(path, { method: 'POST', body: { do: 'pause' } })
    assert.equal(status, 403)
    assert.match(text, /start the server with --allow-actions/)
  })

  it('are done as the person who is signed in', async () => {
    const door = fakeDoor('east', { alice: ['hostedclusters'], bob: ['hostedclusters'] })
    await using page = await aPage(rows, { doors: [door, fakeDoor('classic')], allowsActions: true })
    await page.signIn('alice')
    const act = async (body: unknown) => (await page.ask(path, { method: 'POST', body })).json()['message']
    assert.match(String(await act({ do: 'upgrade', image, side: 'Both' })), /control plane and nodes that follow it are asked to run/)
    await act({ do: 'upgrade', image, side: 'ControlPlane' })
    await act({ do: 'pause' })
    await act({ do: 'pause', until: '2999-01-01T00:00:00Z' })
    await act({ do: 'resume' })
    assert.deepEqual(
      door.writes.map(({ patch }) => patch),
      [
        { spec: { release: { image }, controlPlaneRelease: null } },
        { spec: { controlPlaneRelease: { image } } },
        { spec: { pausedUntil: 'true' } },
        { spec: { pausedUntil: '2999-01-01T00:00:00Z' } },
        { spec: { pausedUntil: null } },
      ],
    )
    assert.ok(door.writes.every((write) => write.as === 'alice'))
    for (const body of [
      {},
      [],
      { do: 'dance' },
      { do: 'upgrade', image },
      { do: 'upgrade', image: 'x', side: 'Both' },
      { do: 'pause', until: 'soon' },
    ]) {
      assert.equal((await page.ask(path, { method: 'POST', body })).status, 400, JSON.stringify(body))
    }
    await page.signIn('bob')
    const forbidden = await page.ask(path, { method: 'POST', body: { do: 'pause' } })
    assert.deepEqual(forbidden.json(), { code: 403, message: 'User "bob" cannot patch hostedclusters' })
  })

  it('of classic clusters have commands of their own', async () => {
    await using page = await aPage(rows, { doors: [fakeDoor('classic')], allowsActions: true })
    await page.signIn('alice')
    const { status, text } = await page.ask('/api/v1/clusters/classic/actions', {
      method: 'POST',
      body: { do: 'upgrade', image, side: 'Both' },
    })
    assert.equal(status, 422)
    assert.match(text, /windlass upgrade start/)
  })
})
