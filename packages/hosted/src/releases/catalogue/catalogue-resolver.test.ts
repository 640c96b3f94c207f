import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aReleaseDigest, aReleaseImage } from '@windlass/api/fixtures'
import { parseVersion } from '@windlass/core'
import { ReleaseInvalidError, ReleaseNotFoundError } from '../errors.ts'
import { payloadArch } from '../release.ts'
import { catalogueResolver } from './catalogue-resolver.ts'
import { parseCatalogue, sampleCatalogue } from './load.ts'

const sample = sampleCatalogue()
const resolver = catalogueResolver(sample)

describe('the sample catalogue', () => {
  it('has the minors from 4.17 to 4.21 and one release of 5.0', () => {
    const minors = new Set(sample.releases.map(({ version }) => version.split('.').slice(0, 2).join('.')))
    assert.deepEqual([...minors], ['4.17', '4.18', '4.19', '4.20', '4.21', '5.0'])
    const fives = sample.releases.filter(({ version, architecture }) => version.startsWith('5.') && architecture === 'amd64')
    assert.equal(fives.length, 1)
  })

  it('knows the releases that fixtures run, by tag and by digest', async () => {
    const byTag = await resolver.resolve(aReleaseImage('4.20.1'))
    assert.deepEqual([byTag.version, byTag.image, payloadArch(byTag)], ['4.20.1', aReleaseDigest('4.20.1'), 'AMD64'])
    const byDigest = await resolver.resolve(aReleaseDigest('4.20.1'))
    assert.deepEqual([byDigest.version, byDigest.images], ['4.20.1', byTag.images])
  })

  it('has images for every architecture, and no image twice', async () => {
    const images = new Set<string>()
    const releases = sample.releases.filter(({ version }) => version.startsWith('4.20.'))
    for (const release of releases) for (const image of release.images.values()) images.add(image)
    assert.equal(images.size, releases.length * (releases[0]?.images.size ?? 0))
    assert.deepEqual([...new Set(releases.map(({ architecture }) => architecture))].toSorted(), ['amd64', 'arm64', 'multi'])
  })

  it('has the images that the operands of control planes are checked for', async () => {
    const { images } = await resolver.resolve(aReleaseImage('4.20.1'))
    for (const name of [
      'ovn-kubernetes',
      'cloud-network-config-controller',
      'multus-admission-controller',
      'csi-snapshot-controller',
      'etcd',
    ]) {
      assert.ok(images.has(name), name)
    }
  })

  it('leads from no release to an older one', () => {
    for (const { version, metadata } of sample.releases) {
      for (const previous of metadata.previous) {
        const [from, to] = [parseVersion(previous), parseVersion(version)]
        assert.ok(to.minor > from.minor || to.patch > from.patch || to.prerelease.length < from.prerelease.length || to.text > from.text)
      }
    }
  })
})

describe('a catalogue as a resolver', () => {
  it('gives the same answer for the same question', async () => {
    assert.equal(await resolver.resolve(aReleaseImage('4.20.1')), await resolver.resolve(aReleaseImage('4.20.1')))
  })

  it('2.1 finds a digest wherever it is, and records the repository that was asked for', async () => {
    const digest = aReleaseDigest('4.20.1').split('@')[1] ?? ''
    const release = await resolver.resolve(`mirror.local/x@${digest}`)
    assert.deepEqual([release.version, release.image], ['4.20.1', `mirror.local/x@${digest}`])
  })

  it('2.1 gives a pullspec back unchanged where there is no digest', async () => {
    const text = `apiVersion: windlass.dev/v1alpha1
kind: ReleaseCatalogue
releases: [{ version: 4.20.1, pullspecs: ['example.com/a:1'], images: { etcd: 'example.com/etcd:1' } }]
`
    const release = await catalogueResolver(parseCatalogue(text, 'x')).resolve('example.com/a:1')
    assert.deepEqual([release.digest, release.image], [undefined, 'example.com/a:1'])
  })

  it('says what it has when it has not what is asked for', async () => {
    await assert.rejects(resolver.resolve('example.com/ocp/release:4.99.0-x86_64'), (error) => {
      assert.ok(error instanceof ReleaseNotFoundError)
      assert.match(error.message, /not among the \d+ releases of the catalogue sample.yaml, which has 4.17.0 to 5.0.0 under names like /)
      return true
    })
    const none = catalogueResolver({ name: 'none.yaml', releases: [], conditionalUpdates: [] })
    await assert.rejects(none.resolve('example.com/a:1'), /the catalogue none.yaml has no releases at all/)
  })

  it('refuses what is no pullspec, and who has left', async () => {
    await assert.rejects(resolver.resolve('no image'), ReleaseInvalidError)
    await assert.rejects(resolver.resolve('example.com/a:1', { signal: AbortSignal.abort(new Error('left')) }), /left/)
  })
})
