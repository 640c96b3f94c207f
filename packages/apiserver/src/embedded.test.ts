import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { StoreError } from './storage/index.ts'
import { aConfigMap, admin, aLogicalCluster, aWidget, Client, logicalClusters, until, urls, userNamed, widgets } from './testing/index.ts'

describe('an embedded server', () => {
  let directory: string

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'windlass-embedded-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  /** A server on this directory, for as long as the work takes. */
  async function serving<T>(
    options: EmbeddedOptions,
    work: (server: Awaited<ReturnType<typeof startEmbedded>>, client: Client) => Promise<T>,
  ): Promise<T> {
    const server = await startEmbedded({ ...options })
    try {
      return await work(server, new Client((request) => server.server.handle(request), admin))
    } finally {
      await server.close()
    }
  }

  it('keeps everything in memory unless told, and is gone in the end', async () => {
    await serving({}, async ({ url, ca, adminToken }, client) => {
      assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/)
      assert.match(ca, /BEGIN CERTIFICATE/)
      assert.ok(adminToken.length >= 20)
      await client.create(urls.configMaps(), aConfigMap('a'))
    })
    assert.deepEqual(readdirSync(directory), [])
  })

  for (const engine of ['lmdb', 'sqlite'] as const) {
    it(`B2 B5 keeps objects and credentials in its directory on ${engine}`, async () => {
      const first = await serving({ directory, engine }, async ({ adminToken, ca }, client) => {
        await client.create(urls.configMaps(), aConfigMap('a', { k: 'v' }))
        return { adminToken, ca }
      })
      const second = await serving({ directory, engine }, async ({ adminToken, ca }, client) => {
        assert.deepEqual((await client.get(urls.configMap('a'))).data, { k: 'v' })
        return { adminToken, ca }
      })
      assert.deepEqual(second, first)
    })
  }

  it('T1 keeps credentials from everybody else', async () => {
    await serving({ directory }, async () => {})
    const folder = join(directory, 'pki')
    assert.equal(statSync(folder).mode & 0o077, 0)
    for (const file of readdirSync(folder)) assert.equal(statSync(join(folder, file)).mode & 0o077, 0, file)
  })

  it('B6 does not share its directory', async () => {
    await serving({ directory }, async () => {
      await assert.rejects(startEmbedded({ directory }), StoreError)
    })
  })

  it('a port that is taken is an error, and the directory is free again', async () => {
    await serving({}, async ({ port }) => {
      await assert.rejects(startEmbedded({ directory, port }), { code: 'EADDRINUSE' })
      await serving({ directory }, async () => {})
    })
  })

  it('starts with the definitions it is given, ready to use', async () => {
    await serving({ definitions: [widgets] }, async (_server, client) => {
      await client.create(urls.widgets(), aWidget('a'))
    })
  })

  it('S1 lets in the users it is told of', async () => {
    const tokens = [{ token: 'the-token-of-dev', user: userNamed('dev') }]
    await serving({ tokens }, async ({ server }) => {
      const stranger = new Client((request) => server.handle(request), undefined)
      const answer = await stranger.send('GET', urls.configMaps(), undefined, { authorization: 'Bearer the-token-of-dev' })
      assert.equal(answer.status, 403)
      assert.match(answer.body.message, /User "dev"/)
    })
  })

  it('T1 plain HTTP is for those who ask for it, and its kubeconfig says so', async () => {
    await serving({ isPlain: true }, async ({ url, ca, kubeconfig }) => {
      assert.match(url, /^http:\/\//)
      assert.equal(ca, '')
      assert.match(kubeconfig, /insecure-skip-tls-verify: true/)
    })
  })

  it('G2 issues kubeconfigs for logical clusters with its own address', async () => {
    await serving({ definitions: [logicalClusters] }, async ({ url, server }, client) => {
      await client.create(urls.logicalClusters, aLogicalCluster('a'))
      const secret = '/api/v1/namespaces/kube-system/secrets/a-kubeconfig'
      await until(async () => (await client.send('GET', secret)).status === 200)
      const { data } = await client.get(secret)
      const kubeconfig = Buffer.from(data['kubeconfig'] ?? '', 'base64').toString('utf8')
      assert.ok(kubeconfig.includes(`server: ${url}/clusters/a\n`), kubeconfig)
      const token = /token: (\S+)/.exec(kubeconfig)?.[1] ?? ''
      const guest = new Client((request) => server.handle(request), undefined)
      const statusAt = async (path: string): Promise<number> =>
        (await guest.send('GET', path, undefined, { authorization: `Bearer ${token}` })).status
      assert.equal(await statusAt('/clusters/a/api/v1/namespaces'), 200)
      assert.equal(await statusAt('/api/v1/namespaces'), 401)
    })
  })

  it('D8 shows the version of the program around it', async () => {
    await serving({ version: '9.8.7' }, async (_server, client) => {
      assert.match((await client.send('GET', '/version')).text, /v1\.35\.0\+windlass\.9\.8\.7/)
    })
  })
})
