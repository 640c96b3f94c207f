import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { record, type TarContent, tarOf } from '../testing/index.ts'
import { TarError, tarEntries } from './tar.ts'

async function* inChunks(bytes: Buffer, size = 1000): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function contentsOf(archive: Buffer, chunk?: number): Promise<readonly (readonly [string, string, string])[]> {
  const found: [string, string, string][] = []
  for await (const entry of tarEntries(inChunks(archive, chunk))) {
    found.push([entry.path, entry.kind, (await entry.read(1e6)).toString()])
  }
  return found
}

const longPath = `release-manifests/${'folder/'.repeat(20)}file`

/** Puts another size into a header, and the checksum right again. */
function withSize(archive: Buffer, size: Buffer): Buffer {
  const changed = Buffer.from(archive)
  size.copy(changed, 124)
  changed.write('        ', 148)
  const checksum = changed.subarray(0, 512).reduce((sum, byte) => sum + byte, 0)
  changed.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return changed
}

describe('a tar archive', () => {
  for (const style of ['ustar', 'pax', 'gnu'] as const) {
    it(`in the style of ${style} keeps paths of any length`, async () => {
      const archive = tarOf([
        { path: longPath, content: 'long', style },
        { path: './short', content: 'short', style },
      ])
      assert.deepEqual(await contentsOf(archive), [
        [longPath, 'file', 'long'],
        ['short', 'file', 'short'],
      ])
    })
  }

  for (const format of ['gnu', 'pax', 'ustar', 'v7', 'oldgnu']) {
    it(`as tar --format=${format} writes it is read`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'windlass-tar-'))
      try {
        mkdirSync(join(folder, 'release-manifests'))
        writeFileSync(join(folder, 'release-manifests/image-references'), 'x'.repeat(1500))
        writeFileSync(join(folder, 'release-manifests/empty'), '')
        symlinkSync('empty', join(folder, 'release-manifests/link'))
        const paths = [['release-manifests', 'folder', '']]
        if (format !== 'v7') {
          mkdirSync(join(folder, 'a'.repeat(60)))
          writeFileSync(join(folder, 'a'.repeat(60), 'b'.repeat(60)), 'deep')
          paths.push(['a'.repeat(60), 'folder', ''], [`${'a'.repeat(60)}/${'b'.repeat(60)}`, 'file', 'deep'])
        }
        paths.push(
          ['release-manifests/image-references', 'file', 'x'.repeat(1500)],
          ['release-manifests/empty', 'file', ''],
          ['release-manifests/link', 'link', ''],
        )
        const archive = execFileSync('tar', [`--format=${format}`, '-C', folder, '-c', '.'])
        const found = (await contentsOf(archive)).filter(([path]) => path !== '')
        assert.deepEqual(new Set(found.map(String)), new Set(paths.map(String)))
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }

  it('may hold sparse files, whose headers go on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'windlass-tar-'))
    try {
      // Enough islands of data that they do not fit into one header.
      const sparse = join(folder, 'sparse')
      writeFileSync(sparse, '')
      truncateSync(sparse, 3_000_000)
      const file = openSync(sparse, 'r+')
      for (let island = 0; island < 40; island++) writeSync(file, Buffer.alloc(4096, 'x'), 0, 4096, island * 73_728)
      closeSync(file)
      writeFileSync(join(folder, 'z'), 'behind it')
      for (const format of ['gnu', 'pax']) {
        const archive = execFileSync('tar', ['--sparse', `--format=${format}`, '-C', folder, '-c', 'sparse', 'z'])
        const found = await contentsOf(archive)
        assert.deepEqual(found.at(-1), ['z', 'file', 'behind it'])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('gives the same entries in whatever pieces it comes', async () => {
    const content = fc.record({
      path: fc.stringMatching(/^[a-z]{1,20}(\/[a-zäß]{1,30}){0,8}$/),
      content: fc.string({ maxLength: 600 }),
      style: fc.constantFrom<NonNullable<TarContent['style']>[]>('pax', 'gnu'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(content, { maxLength: 4 }), fc.constantFrom(13, 100, 511, 512, 513, 2000), async (contents, size) => {
        const expected = contents.map((entry) => [entry.path, 'file', entry.content])
        assert.deepEqual(await contentsOf(tarOf(contents), size), expected)
      }),
      { numRuns: 30 },
    )
  })

  it('passes over what nobody reads', async () => {
    const archive = tarOf([
      { path: 'large', content: Buffer.alloc(5000, 'x') },
      { path: 'small', content: 'y' },
    ])
    const paths: string[] = []
    for await (const { path } of tarEntries(inChunks(archive))) paths.push(path)
    assert.deepEqual(paths, ['large', 'small'])
  })

  it('leaves its source when the reader has seen enough', async () => {
    let isClosed = false
    async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield* inChunks(tarOf([{ path: 'a' }, { path: 'b' }]), 512)
      } finally {
        isClosed = true
      }
    }
    for await (const entry of tarEntries(source())) if (entry.path === 'a') break
    assert.ok(isClosed)
  })

  it('may have pax headers for all that follows, and a size that only they tell', async () => {
    const path = record('path', 'everywhere')
    const size = record('size', '3')
    const global = tarOf([{ path: 'pax_global', type: 'g', content: path }]).subarray(0, 1024)
    const own = tarOf([{ path: 'pax', type: 'x', content: size }]).subarray(0, 1024)
    const file = withSize(tarOf([{ path: 'file', content: 'abc' }]), Buffer.from('00000000000\0'))
    assert.deepEqual(await contentsOf(Buffer.concat([global, own, file])), [['everywhere', 'file', 'abc']])
  })

  it('may write large sizes in base 256', async () => {
    const size = Buffer.alloc(12)
    size[0] = 0x80
    size[11] = 3
    assert.deepEqual(await contentsOf(withSize(tarOf([{ path: 'file', content: 'abc' }]), size)), [['file', 'file', 'abc']])
  })

  it('is complete without its end mark, if it ends between two entries', async () => {
    const archive = tarOf([{ path: 'a', content: 'x' }])
    assert.deepEqual(await contentsOf(archive.subarray(0, 1024)), [['a', 'file', 'x']])
    assert.deepEqual(await contentsOf(Buffer.alloc(0)), [])
  })

  const file = tarOf([{ path: 'file', content: 'x'.repeat(600) }])
  for (const [name, archive, problem] of [
    ['ends in the middle of a header', file.subarray(0, 300), /in the middle of a header/],
    ['ends in the middle of a file', file.subarray(0, 800), /in the middle of file/],
    ['is none', Buffer.from('hello '.repeat(200)), /checksum of a header is wrong/],
    ['has a size that is no number', withSize(file, Buffer.from('99999999999\0')), /size that is no number/],
    ['has a size beyond all measure', withSize(file, Buffer.alloc(12, 0xff)), /beyond all measure/],
    ['has more bytes than allowed', withSize(file, Buffer.from('77777777777\0')), /has more than 2147483648 bytes/],
    [
      'has a long name that is too long',
      withSize(tarOf([{ path: 'x', type: 'L' }]), Buffer.from('00010000000\0')),
      /extended header has 2097152 bytes/,
    ],
    ['has a pax header that cannot be read', tarOf([{ path: 'x', type: 'x', content: '99 path=x\n' }]), /extended header cannot be read/],
    ['has a pax header without lengths', tarOf([{ path: 'x', type: 'x', content: 'path=x\n' }]), /extended header cannot be read/],
    ['has a pax size that is none', tarOf([{ path: 'x', type: 'x', content: record('size', '-1') }, { path: 'y' }]), /has the size "-1"/],
  ] as const) {
    it(`that ${name} is refused`, async () => {
      await assert.rejects(contentsOf(archive), (error) => error instanceof TarError && problem.test(error.message))
    })
  }

  it('with a file larger than the reader allows is refused by name', async () => {
    const reading = (async () => {
      for await (const entry of tarEntries(inChunks(file))) await entry.read(599)
    })()
    await assert.rejects(reading, /file has 600 bytes, more than the 599 that are allowed/)
  })

  it('that is damaged anywhere is refused or read, and never anything else', async () => {
    const archive = tarOf([
      { path: longPath, content: 'long', style: 'pax' },
      { path: longPath, content: 'long', style: 'gnu' },
    ])
    await fc.assert(
      fc.asyncProperty(fc.nat(archive.length - 1), fc.nat(255), async (at, byte) => {
        const damaged = Buffer.from(archive)
        damaged[at] = byte
        try {
          await contentsOf(damaged)
        } catch (error) {
          assert.ok(error instanceof TarError, String(error))
        }
      }),
      { numRuns: 200 },
    )
  })
})
