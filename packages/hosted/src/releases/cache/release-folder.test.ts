import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { seededRandom } from '@windlass/core'
import { asDigest, asPullspec } from '../pullspec/index.ts'
import type { ReleaseContents } from '../release.ts'
import { ReleaseFolder } from './release-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'windlass-releases-'))
after(() => rmSync(base, { recursive: true }))

const digest = asDigest(`sha256:${'a'.repeat(64)}`)
const contents: ReleaseContents = {
  version: '4.20.1',
  architecture: 'amd64',
  images: new Map([['etcd', asPullspec('example.com/etcd:1')]]),
  metadata: { previous: ['4.20.0'], url: undefined },
}

function folder(name: string, variant = 'amd64'): { path: string; releases: ReleaseFolder } {
  const path = join(base, name)
  return { path, releases: new ReleaseFolder({ path, random: seededRandom(name), variant }) }
}

describe('a folder of releases', () => {
  it('gives back what was put into it, also to another process', async () => {
    const { releases } = folder('plain/deep')
    assert.equal(await releases.load(digest), undefined)
    await releases.save(digest, contents)
    assert.deepEqual(await folder('plain/deep').releases.load(digest), contents)
    const withUrl = { ...contents, metadata: { previous: [], url: 'https://example.com' } }
    await releases.save(digest, withUrl)
    assert.deepEqual(await releases.load(digest), withUrl)
  })

  it('holds whole files and nothing else', async () => {
    const { path, releases } = folder('whole')
    await Promise.all(Array.from({ length: 20 }, () => releases.save(digest, contents)))
    assert.deepEqual(readdirSync(path), [`sha256-${'a'.repeat(64)}-amd64.json`])
  })

  it('keeps what was read from images for different architectures apart', async () => {
    await folder('apart').releases.save(digest, contents)
    assert.equal(await folder('apart', 'arm64').releases.load(digest), undefined)
  })

  it('does not give what another version wrote, or what is about another digest', async () => {
    const { path, releases } = folder('foreign')
    await releases.save(digest, contents)
    const [file = ''] = readdirSync(path)
    for (const text of ['{"format":2}', '[]', '{"format":1,"digest":"sha256:other"}', `{"format":1,"digest":"${digest}","version":4}`]) {
      writeFileSync(join(path, file), text)
      assert.equal(await releases.load(digest), undefined)
    }
  })

  it('says when a file cannot be read, and can write it anew', async () => {
    const { path, releases } = folder('damaged')
    await releases.save(digest, contents)
    const [file = ''] = readdirSync(path)
    writeFileSync(join(path, file), '{"format":1,')
    await assert.rejects(releases.load(digest))
    await releases.save(digest, contents)
    assert.deepEqual(await releases.load(digest), contents)
  })

  it('leaves nothing behind when it cannot be written to', async () => {
    const { path, releases } = folder('blocked')
    writeFileSync(path, 'a file where the folder should be')
    await assert.rejects(releases.save(digest, contents))
  })
})
