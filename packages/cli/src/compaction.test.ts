import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { kubeconfig } from '@windlass/apiserver'
import { compact, connectionSentence } from './compaction.ts'
import { run } from './fixtures.ts'

/** Answers like a server that compacts, like one that refuses, and like something that is no such server: by its path. */
const answers: Readonly<Record<string, { status: number; body: string }>> = {
  '/windlass/compact': { status: 200, body: '{"compactedRevision":"42"}' },
  '/forbidden/windlass/compact': { status: 403, body: '{"kind":"Status","message":"User \\"bob\\" cannot post path"}' },
  '/broken/windlass/compact': { status: 500, body: 'oops' },
}

describe('windlass compact', () => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-compact-'))
  const file = join(folder, 'kubeconfig')
  const seen: string[] = []
  let server: Server
  let url: string

  before(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
      const { status, body } = answers[request.url ?? ''] ?? { status: 404, body: '404 page not found' }
      response.writeHead(status).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const lead = (path: string): void => writeFileSync(file, kubeconfig({ server: `${url}${path}`, token: 'secret', insecure: true }))

  it('posts with the credentials of the kubeconfig and prints the revision', async () => {
    lead('')
    assert.deepEqual(await run('compact', '--kubeconfig', file), { status: 0, out: 'compacted: history starts at revision 42\n', err: '' })
    assert.deepEqual(seen.at(-1), 'POST /windlass/compact Bearer secret')
  })

  it('passes on why the server refuses', async () => {
    lead('/forbidden/')
    const { status, err } = await run('compact', '--kubeconfig', file)
    assert.deepEqual([status, err], [1, `windlass: ${url}/forbidden/ refused to compact (403): User "bob" cannot post path\n`])
  })

  it('says when the server gives no reason', async () => {
    lead('/broken')
    await assert.rejects(compact(file), { name: 'Failure', message: `${url}/broken refused to compact (500): it did not say why` })
  })

  it('knows a server that is none of ours', async () => {
    lead('/elsewhere')
    await assert.rejects(compact(file), {
      message: `${url}/elsewhere cannot be compacted from outside: it is no embedded server of Windlass`,
    })
  })

  it('says that nothing answers', async () => {
    writeFileSync(file, kubeconfig({ server: 'http://127.0.0.1:1', token: 'secret' }))
    const { status, err } = await run('compact', '--kubeconfig', file)
    assert.equal(status, 1)
    assert.equal(err, 'windlass: nothing answers at http://127.0.0.1:1: start the server, or choose another kubeconfig with --kubeconfig\n')
  })

  it('says that the kubeconfig is missing', async () => {
    const missing = join(folder, 'none')
    const { status, err } = await run('compact', '--kubeconfig', missing)
    assert.equal(status, 1)
    assert.equal(
      err,
      `windlass: the kubeconfig ${missing} cannot be read (there is no such file): start a server first, or choose another with --kubeconfig\n`,
    )
  })

  it('tells a server that is not the trusted one from one that cannot be reached', () => {
    const error = Object.assign(new Error('self-signed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' })
    assert.match(connectionSentence(error, 'https://a'), /^https:\/\/a is not the server that the kubeconfig trusts/)
    assert.equal(connectionSentence(new Error('socket hang up'), 'https://a'), 'https://a cannot be reached: socket hang up')
  })
})
