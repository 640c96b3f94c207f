import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aReleaseImage, aSecret } from '@windlass/api/fixtures'
import { VirtualClock } from '@windlass/core'
import { RegistryUnreachableError } from '../releases/index.ts'
import type { Release, ReleaseResolver } from '../releases/index.ts'
import { fleet } from '../testing/index.ts'
import { lookUpRelease } from './release-lookup.ts'

const pullspec = aReleaseImage('4.19.6')
const { signal } = new AbortController()
const credentials = (password: string) =>
  aSecret({
    name: 'pull-secret',
    data: {
      '.dockerconfigjson': Buffer.from(JSON.stringify({ auths: { 'example.com': { auth: btoa(`me:${password}`) } } })).toString('base64'),
    },
  })

/** Registries that answer when they are told to. */
function slowly(): { readonly releases: ReleaseResolver; readonly asked: PromiseWithResolvers<Release>[] } {
  const asked: PromiseWithResolvers<Release>[] = []
  const resolve = (): Promise<Release> => {
    const answer = Promise.withResolvers<Release>()
    asked.push(answer)
    return answer.promise
  }
  return { asked, releases: { resolve } }
}

describe('a release that is looked up', () => {
  it('is a failure after a few seconds, then at once, and found when somebody has answered', async () => {
    const clock = new VirtualClock()
    const { releases, asked } = slowly()
    const question = { pullspec, pullSecret: undefined, mirrors: undefined, signal, clock }
    const first = lookUpRelease(releases, question)
    await clock.advance(5_000)
    const problem = `release image ${pullspec}: no registry has answered within 5 s; they are still being asked`
    assert.deepEqual(await first, { is: 'failed', problem })
    assert.deepEqual(await lookUpRelease(releases, question), { is: 'failed', problem })
    assert.equal(asked.length, 1)
    const release = await fleet.releases.resolve(pullspec)
    asked[0]?.resolve(release)
    await asked[0]?.promise
    const again = lookUpRelease(releases, question)
    asked[1]?.resolve(release)
    assert.deepEqual(await again, { is: 'found', value: release })
  })

  it('is asked for again when the question could not be answered', async () => {
    const clock = new VirtualClock()
    const { releases, asked } = slowly()
    const question = { pullspec, pullSecret: undefined, mirrors: undefined, signal, clock }
    const first = lookUpRelease(releases, question)
    asked[0]?.reject(new RegistryUnreachableError(pullspec, 'it is on fire'))
    assert.deepEqual(await first, { is: 'failed', problem: `release image ${pullspec}: it is on fire` })
    void lookUpRelease(releases, question)
    assert.equal(asked.length, 2)
  })

  it('is one question for all who ask it, and another for whoever has other credentials', () => {
    const clock = new VirtualClock()
    const { releases, asked } = slowly()
    const ask = (password: string) =>
      lookUpRelease(releases, { pullspec, pullSecret: credentials(password), mirrors: undefined, signal, clock })
    for (const password of ['a', 'a', 'b']) void ask(password)
    assert.equal(asked.length, 2)
  })
})
