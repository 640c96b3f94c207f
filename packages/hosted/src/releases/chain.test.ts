import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogueResolver, sampleCatalogue } from './catalogue/index.ts'
import { chainedResolver } from './chain.ts'
import { RegistryUnreachableError, ReleaseInvalidError, ReleaseNotFoundError, ReleaseUnauthorizedError } from './errors.ts'
import type { ReleaseResolver } from './release.ts'

const pullspec = 'example.com/ocp/release:4.20.1-x86_64'
const catalogue = catalogueResolver(sampleCatalogue())
const failing = (failure: Error): ReleaseResolver => ({ resolve: () => Promise.reject(failure) })
const absent = failing(new ReleaseNotFoundError(pullspec, 'not here'))
const down = failing(new RegistryUnreachableError(pullspec, 'down'))

describe('a chain of resolvers', () => {
  it('gives the answer of the first that has one', async () => {
    for (const first of [absent, down])
      assert.equal((await chainedResolver([first, catalogue, absent]).resolve(pullspec)).version, '4.20.1')
  })

  it('does not paper over a wrong password or a broken release', async () => {
    for (const error of [new ReleaseUnauthorizedError(pullspec, 'no'), new ReleaseInvalidError(pullspec, 'no'), new TypeError('a bug')]) {
      await assert.rejects(chainedResolver([failing(error), catalogue]).resolve(pullspec), error)
    }
  })

  it('knows nothing when somebody could not be asked', async () => {
    await assert.rejects(chainedResolver([down, absent]).resolve(pullspec), RegistryUnreachableError)
    await assert.rejects(chainedResolver([absent, absent]).resolve(pullspec), ReleaseNotFoundError)
    await assert.rejects(chainedResolver([]).resolve(pullspec), /there is nobody to ask/)
  })
})
