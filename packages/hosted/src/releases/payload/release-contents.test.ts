import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ReleaseImageOptions, releaseFiles, someImages } from '../testing/index.ts'
import { InvalidPayloadError, releaseContents, releaseLabel } from './release-contents.ts'
import type { ReleaseFiles } from './release-files.ts'

const config = { architecture: 'amd64', labels: { 'io.openshift.release': '4.20.1' } }

function filesOf(options: ReleaseImageOptions = {}): ReleaseFiles {
  const content = (name: string): Buffer => Buffer.from(releaseFiles(options).find(({ path }) => path.endsWith(name))?.content ?? '')
  return { imageReferences: content('image-references'), releaseMetadata: content('release-metadata'), hasBootImages: true }
}

function withStream(change: object): ReleaseFiles {
  const stream: unknown = JSON.parse(filesOf().imageReferences?.toString() ?? '')
  return { ...filesOf(), imageReferences: Buffer.from(JSON.stringify(Object.assign({}, stream, change))) }
}

describe('the contents of a release', () => {
  it('4.6 are the name of the image stream, and the images that its tags stand for', () => {
    assert.deepEqual(releaseContents(filesOf(), config, false), {
      version: '4.20.1',
      architecture: 'amd64',
      images: new Map(Object.entries(someImages)),
      metadata: { previous: ['4.19.9', '4.20.0'], url: 'https://example.com/notes' },
    })
  })

  it('do not need metadata or a label', () => {
    const { metadata, version } = releaseContents({ ...filesOf(), releaseMetadata: undefined }, { ...config, labels: {} }, false)
    assert.deepEqual([version, metadata], ['4.20.1', { previous: [], url: undefined }])
  })

  it('are for several architectures when there are several images, or when they say so', () => {
    assert.equal(releaseContents(filesOf(), config, true).architecture, 'multi')
    const notes = { version: '4.20.1', metadata: { 'release.openshift.io/architecture': 'multi' } }
    const files = { ...filesOf(), releaseMetadata: Buffer.from(JSON.stringify(notes)) }
    assert.equal(releaseContents(files, config, false).architecture, 'multi')
  })

  it('have their version on a label too', () => {
    assert.equal(releaseLabel(config), '4.20.1')
    assert.equal(releaseLabel({ architecture: '', labels: {} }), undefined)
  })

  for (const [name, files, problem] of [
    ['without the list of images', { ...filesOf(), imageReferences: undefined }, /no layer has release-manifests\/image-references/],
    ['without boot images', { ...filesOf(), hasBootImages: false }, /no 0000_50_installer_coreos-bootimages.yaml/],
    ['whose list is no JSON', { ...filesOf(), imageReferences: Buffer.from('kind: ImageStream') }, /image-references is not JSON/],
    ['whose list is something else', withStream({ kind: 'ConfigMap' }), /is a ConfigMap, not an ImageStream/],
    ['whose name is no version', withStream({ metadata: { name: 'stable' } }), /named "stable", which is no version/],
    ['whose name is too long', withStream({ metadata: { name: `4.20.1-${'a'.repeat(64)}` } }), /which is no version/],
    ['without a name', withStream({ metadata: {} }), /named undefined/],
    ['without images', withStream({ spec: { tags: [] } }), /names no images/],
    ['with an image that has no name', withStream({ spec: { tags: [{ from: { name: 'a' } }] } }), /spec.tags\[0\] lacks its name/],
    [
      'with an image that names none',
      withStream({ spec: { tags: [{ name: 'etcd', from: { name: 'no image' } }] } }),
      /the image of etcd: "no image" does not/,
    ],
    [
      'whose metadata says another version',
      { ...filesOf(), releaseMetadata: Buffer.from('{"version":"4.20.2"}') },
      /release-metadata says "4.20.2"/,
    ],
    ['whose metadata is no JSON', { ...filesOf(), releaseMetadata: Buffer.from('x') }, /release-metadata is not JSON/],
    ['whose label says another version', filesOf({ version: '4.20.3' }), /the label io.openshift.release says "4.20.1"/],
  ] satisfies [string, ReleaseFiles, RegExp][]) {
    it(`${name} are invalid`, () => {
      assert.throws(
        () => releaseContents(files, config, false),
        (error) => error instanceof InvalidPayloadError && problem.test(error.message),
      )
    })
  }
})
