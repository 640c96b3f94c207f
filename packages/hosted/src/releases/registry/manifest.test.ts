import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildIndex, buildRelease } from '../testing/index.ts'
import { RegistryFailure } from './failure.ts'
import { choosePlatform, type ImageIndex, parseManifest, platformsOf } from './manifest.ts'

const digest = `sha256:${'a'.repeat(64)}`
const descriptor = { mediaType: 'x', digest, size: 3 }
const image = { schemaVersion: 2, config: descriptor, layers: [descriptor] }
const list = { schemaVersion: 2, manifests: [{ ...descriptor, platform: { os: 'linux', architecture: 'amd64' } }] }
const indexType = 'application/vnd.oci.image.index.v1+json'
const imageType = 'application/vnd.docker.distribution.manifest.v2+json'

function parse(document: unknown, contentType?: string): ReturnType<typeof parseManifest> {
  return parseManifest(Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)), contentType)
}

describe('a manifest', () => {
  it('is read in the forms of OCI and of Docker', () => {
    for (const style of ['oci', 'docker'] as const) {
      const built = buildRelease({ style })
      const manifest = built.manifests.get(built.digest)
      assert.ok(manifest !== undefined)
      const parsed = parseManifest(manifest.bytes, manifest.mediaType)
      assert.ok(parsed.kind === 'image')
      assert.deepEqual([parsed.config.digest, ...parsed.layers.map((layer) => layer.digest)], [...built.blobs.keys()])
    }
  })

  it('may leave its type to the header', () => {
    assert.equal(parse(image, `${imageType}; charset=utf-8`).kind, 'image')
    assert.equal(parse(list, indexType).kind, 'index')
    assert.equal(parse(image).kind, 'image')
  })

  for (const [name, document, contentType, problem] of [
    ['that is both a list and an image', { ...image, ...list }, indexType, /both a list of manifests and an image/],
    ['that is served as something else than it is', list, imageType, /neither an image nor a list/],
    ['that says it is something else', { ...image, mediaType: indexType }, imageType, /neither an image nor a list/],
    ['of schema 1', { schemaVersion: 1, fsLayers: [] }, undefined, /schema 1/],
    ['that is no JSON', 'hello', undefined, /is not JSON/],
    ['that is no object', '[]', undefined, /is not an object/],
    ['without a config', { ...image, config: undefined }, undefined, /has no config/],
    ['with a negative size', { ...image, layers: [{ ...descriptor, size: -1 }] }, undefined, /no digest and size in layers\[0\]/],
    [
      'with a digest of another sort',
      { ...image, layers: [{ ...descriptor, digest: 'md5:1' }] },
      undefined,
      /layers\[0\] that cannot be checked/,
    ],
    ['that is something else', { schemaVersion: 2, config: descriptor }, 'text/plain', /of type "text\/plain" is neither/],
  ] as const) {
    it(`${name} is unusable`, () => {
      assert.throws(
        () => parse(document, contentType),
        (error) => error instanceof RegistryFailure && error.kind === 'unusable' && problem.test(error.message),
      )
    })
  }
})

describe('a list of platforms', () => {
  const built = buildIndex({ amd64: buildRelease(), arm64: buildRelease({ architecture: 'arm64' }) })
  const index = parseManifest(built.manifests.get(built.digest)?.bytes ?? Buffer.alloc(0), undefined) as ImageIndex

  it('has an image for Linux on each of them', () => {
    assert.equal(choosePlatform(index, 'arm64').architecture, 'arm64')
    assert.deepEqual(platformsOf(index.manifests), ['linux/amd64', 'linux/arm64'])
  })

  it('names those that it has when another is wanted', () => {
    assert.throws(() => choosePlatform(index, 's390x'), /no image for linux\/s390x; there is linux\/amd64, linux\/arm64/)
  })

  it('may list attestations, which are no platform', () => {
    const attestation = { ...descriptor, platform: { os: 'unknown', architecture: 'unknown' } }
    const parsed = parse({ ...list, manifests: [attestation, ...list.manifests] })
    assert.ok(parsed.kind === 'index')
    assert.deepEqual(platformsOf(parsed.manifests), ['linux/amd64'])
  })
})
