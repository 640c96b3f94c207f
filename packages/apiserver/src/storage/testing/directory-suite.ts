import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Store } from '../store.ts'
import { encode, pods, put, withDirectory } from './fixture.ts'

const files = { lmdb: 'objects.mdb', sqlite: 'objects.sqlite' } as const

/** What can be wrong with a data directory, and what people are told. */
export function describeDirectory(engine: 'lmdb' | 'sqlite', open: (directory: string) => Promise<Store>): void {
  describe(`a data directory of ${engine}`, () => {
    it('is made when it is not there', () =>
      withDirectory(async (directory) => {
        const store = await open(join(directory, 'new', 'deep'))
        await put(store, `${pods}a/one`)
        await store.close()
        assert.ok(existsSync(join(directory, 'new', 'deep', files[engine])))
      }))

    it('is locked by a file that names the process, and free again when the store is closed', () =>
      withDirectory(async (directory) => {
        const store = await open(directory)
        assert.equal(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8')).pid, process.pid)
        await store.close()
        assert.ok(!existsSync(join(directory, 'lock')))
      }))

    it('is refused while a living process holds it, and taken over from a dead one', () =>
      withDirectory(async (directory) => {
        const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
        await once(child, 'spawn')
        writeFileSync(join(directory, 'lock'), JSON.stringify({ pid: child.pid }))
        await assert.rejects(open(directory), {
          name: 'StoreError',
          message: `the data directory ${directory} is in use by process ${child.pid}: stop that process, or choose another data directory`,
        })
        child.kill('SIGKILL')
        await once(child, 'close')
        await (await open(directory)).close()
      }))

    it('is taken over when its lock is unreadable, or of a former process with our number', () =>
      withDirectory(async (directory) => {
        for (const content of ['', 'what?', '{}', JSON.stringify({ pid: process.pid, started: '1' })]) {
          writeFileSync(join(directory, 'lock'), content)
          await (await open(directory)).close()
        }
      }))

    it('is refused when a file is in its place', () =>
      withDirectory(async (directory) => {
        const file = join(directory, 'file')
        writeFileSync(file, 'text')
        await assert.rejects(open(file), { name: 'StoreError', message: inPlaceOf(file) })
        await assert.rejects(open(join(file, 'below')), { name: 'StoreError', message: inPlaceOf(join(file, 'below')) })
      }))

    it('is refused when it belongs to the other engine', () =>
      withDirectory(async (directory) => {
        const other = engine === 'lmdb' ? 'sqlite' : 'lmdb'
        writeFileSync(join(directory, files[other]), 'data')
        await assert.rejects(open(directory), {
          name: 'StoreError',
          message: `${directory} holds a store of the ${other} engine, not of ${engine}: open it with ${other}, or choose another data directory`,
        })
        assert.ok(!existsSync(join(directory, 'lock')))
      }))

    it('is refused when its data is no store, or lost its end', () =>
      withDirectory(async (directory) => {
        const file = join(directory, files[engine])
        const expected = {
          name: 'StoreError',
          message: /^the data in .* is damaged .*: restore a backup, or move it away to start with an empty store$/,
        }
        writeFileSync(file, 'this is a text, and quite a long one, so that it has the length of a header; '.repeat(200))
        await assert.rejects(open(directory), expected)
        writeFileSync(file, '')
        const store = await open(directory)
        await store.write((transaction) => {
          for (let index = 0; index < 1000; index++) transaction.put(`${pods}a/${index}`, encode('x'.repeat(3000)))
        })
        await store.close()
        truncateSync(file, 20_000)
        await assert.rejects(open(directory), expected)
        assert.ok(!existsSync(join(directory, 'lock')))
      }))
  })
}

function inPlaceOf(path: string): string {
  return `${path} cannot be a data directory because a file is in its place: choose another data directory`
}
