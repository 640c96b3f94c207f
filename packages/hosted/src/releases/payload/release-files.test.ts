import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { releaseFiles, type TarContent, tarOf } from '../testing/index.ts'
import { readReleaseFiles, type ReleaseFiles } from './release-files.ts'

const references = 'release-manifests/image-references'
const metadata = 'release-manifests/release-metadata'
const bootImages = 'release-manifests/0000_50_installer_coreos-bootimages.yaml'

/** Reads layers (the lowest first) and tells which of them were looked at. */
async function read(...layers: readonly (readonly TarContent[])[]): Promise<{ files: ReleaseFiles; seen: readonly number[] }> {
  const seen: number[] = []
  const files = await readReleaseFiles(layers.length, (index, reader) => {
    seen.push(index)
    const bytes = gzipSync(tarOf(layers[index] ?? []))
    return reader(
      (async function* () {
        yield bytes
      })(),
    )
  })
  return { files, seen }
}

const texts = ({ imageReferences, releaseMetadata, hasBootImages }: ReleaseFiles): unknown => [
  imageReferences?.toString(),
  releaseMetadata?.toString(),
  hasBootImages,
]

describe('the files of a release', () => {
  it('are found in the top layer, and no other is looked at', async () => {
    const { files, seen } = await read([{ path: references, content: 'old' }], releaseFiles())
    assert.deepEqual(seen, [1])
    assert.match(files.imageReferences?.toString() ?? '', /"ImageStream"/)
    assert.match(files.releaseMetadata?.toString() ?? '', /cincinnati/)
    assert.ok(files.hasBootImages)
  })

  it('are found below layers that have nothing to do with them', async () => {
    const { files, seen } = await read(releaseFiles(), [{ path: 'etc/motd' }], [])
    assert.deepEqual(seen, [2, 1, 0])
    assert.ok(files.imageReferences !== undefined)
  })

  it('in a higher layer hide those in a lower one', async () => {
    const { files } = await read(
      [{ path: references, content: 'old' }, { path: bootImages }, { path: metadata, content: 'old' }],
      [{ path: references, content: 'new' }],
    )
    assert.deepEqual(texts(files), ['new', 'old', true])
  })

  it('that a higher layer takes away are gone', async () => {
    const lower = [{ path: references, content: 'old' }, { path: bootImages }, { path: metadata, content: 'old' }]
    const { files } = await read(lower, [{ path: 'release-manifests/.wh.image-references' }])
    assert.deepEqual(texts(files), [undefined, 'old', true])
    for (const whiteout of ['release-manifests/.wh..wh..opq', '.wh.release-manifests', '.wh..wh..opq']) {
      const { files: none, seen } = await read(lower, [{ path: whiteout }])
      assert.deepEqual(texts(none), [undefined, undefined, false])
      assert.deepEqual(seen, [1])
    }
  })

  it('that a layer takes away and writes anew are there', async () => {
    const { files } = await read(releaseFiles(), [
      { path: 'release-manifests/.wh..wh..opq' },
      { path: references, content: 'new' },
      { path: bootImages },
    ])
    assert.deepEqual(texts(files), ['new', undefined, true])
  })

  it('are not looked for below for the sake of the metadata alone', async () => {
    const { files, seen } = await read([{ path: metadata, content: 'old' }], [{ path: references, content: 'new' }, { path: bootImages }])
    assert.deepEqual(seen, [1])
    assert.equal(files.releaseMetadata, undefined)
  })

  it('are files, not links or folders of that name', async () => {
    const { files } = await read([
      { path: references, type: '2' },
      { path: `${metadata}/`, type: '5' },
    ])
    assert.deepEqual(texts(files), [undefined, undefined, false])
  })

  it('are not found where there are none', async () => {
    assert.deepEqual(texts((await read()).files), [undefined, undefined, false])
  })
})
