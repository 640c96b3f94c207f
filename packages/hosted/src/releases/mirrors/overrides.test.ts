import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogueResolver, sampleCatalogue } from '../catalogue/index.ts'
import { overriding, withOverrides } from './overrides.ts'

const resolver = catalogueResolver(sampleCatalogue())
const pullspec = 'example.com/ocp/release:4.20.1-x86_64'

describe('registry overrides', () => {
  it('4.6 rename the component images of a release and leave its own name alone', async () => {
    const release = await resolver.resolve(pullspec)
    const changed = await overriding(resolver, new Map([['example.com/ocp/release-content', 'mirror.local:5000/content']])).resolve(
      pullspec,
    )
    assert.equal(changed.image, release.image)
    assert.equal(changed.digest, release.digest)
    assert.equal(
      changed.images.get('etcd'),
      release.images.get('etcd')?.replace('example.com/ocp/release-content', 'mirror.local:5000/content'),
    )
  })

  it('cover whole components of a path only', async () => {
    const release = await resolver.resolve(pullspec)
    assert.equal(withOverrides(release, new Map([['example.com/ocp/release', 'mirror.local/x']])), release)
  })

  it('give the same release for the same release', async () => {
    const overridden = overriding(resolver, new Map([['example.com', 'mirror.local']]))
    assert.equal((await overridden.resolve(pullspec)).images, (await overridden.resolve(pullspec)).images)
    assert.equal(overriding(resolver, new Map()), resolver)
    assert.equal(await overriding(resolver, new Map([['other.com', 'mirror.local']])).resolve(pullspec), await resolver.resolve(pullspec))
  })
})
