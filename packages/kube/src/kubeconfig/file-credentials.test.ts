import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { FileCredentials } from './file-credentials.ts'
import { filesOf } from './testing.ts'

const token = { path: '/token', name: 'the file /token' }
const certificate = { path: '/crt', name: 'the file /crt' }
const key = { path: '/key', name: 'the file /key' }

function setUp(files: Record<string, string>) {
  const clock = new VirtualClock()
  let reads = 0
  const read = filesOf(files)
  const readFile = (path: string): Promise<string> => {
    reads++
    return read(path)
  }
  const credentials = new FileCredentials({ fixed: { headers: { 'impersonate-user': 'jane' } }, token, readFile, clock })
  return { files, clock, credentials, reads: () => reads }
}

describe('a token in a file', () => {
  it('N22 is read once for many requests, and is the same object while it has not changed', async () => {
    const { credentials, clock, reads } = setUp({ '/token': 'one\n' })
    const [first, second] = await Promise.all([credentials.identity(), credentials.identity()])
    assert.deepEqual(
      [first, first === second, reads()],
      [{ headers: { 'impersonate-user': 'jane', authorization: 'Bearer one' } }, true, 1],
    )
    await clock.advance(9_999)
    assert.equal(credentials.identity(), first)
    await clock.advance(1)
    assert.equal(await credentials.identity(), first)
    assert.equal(reads(), 2)
  })

  it('N22 is found again when it was rotated, after ten seconds or at once when the server refuses the old one', async () => {
    const { credentials, clock, files } = setUp({ '/token': 'one' })
    const first = await credentials.identity()
    files['/token'] = 'two'
    assert.equal(await credentials.identity(), first)
    await clock.advance(10_000)
    const second = await credentials.identity()
    assert.equal(second.headers['authorization'], 'Bearer two')
    files['/token'] = 'three'
    assert.equal(credentials.refused(second), true)
    assert.equal((await credentials.identity()).headers['authorization'], 'Bearer three')
  })

  it('N22 is not read again for a refusal of one that has been replaced already', async () => {
    const { credentials, clock, files, reads } = setUp({ '/token': 'one' })
    const first = await credentials.identity()
    files['/token'] = 'two'
    await clock.advance(10_000)
    await credentials.identity()
    credentials.refused(first)
    await credentials.identity()
    assert.equal(reads(), 2)
  })

  it('N22 goes on being used when the file cannot be read any more', async () => {
    const { credentials, clock, files } = setUp({ '/token': 'one' })
    const first = await credentials.identity()
    files['/token'] = '\n'
    await clock.advance(10_000)
    assert.equal(await credentials.identity(), first)
    delete files['/token']
    await clock.advance(10_000)
    assert.equal(await credentials.identity(), first)
  })

  it('N22 that was never there is a failure that names the file', async () => {
    await assert.rejects(async () => setUp({}).credentials.identity(), {
      name: 'KubeconfigError',
      message: 'the file /token cannot be read (there is no such file)',
    })
    await assert.rejects(async () => setUp({ '/token': ' \n' }).credentials.identity(), { message: 'the file /token is empty' })
  })
})

it('N22 a certificate in files is read again with its key', async () => {
  const files: Record<string, string> = { '/crt': 'certificate 1', '/key': 'key 1' }
  const clock = new VirtualClock()
  const credentials = new FileCredentials({ fixed: { headers: {} }, certificate, key, readFile: filesOf(files), clock })
  assert.deepEqual(await credentials.identity(), { headers: {}, certificate: 'certificate 1', key: 'key 1' })
  Object.assign(files, { '/crt': 'certificate 2', '/key': 'key 2' })
  await clock.advance(10_000)
  assert.deepEqual(await credentials.identity(), { headers: {}, certificate: 'certificate 2', key: 'key 2' })
})
