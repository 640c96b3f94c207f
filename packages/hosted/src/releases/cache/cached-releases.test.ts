import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { RegistryUnreachableError, ReleaseInvalidError, ReleaseNotFoundError } from '../errors.ts'
import { asDigest, type Digest, type ImageReference } from '../pullspec/index.ts'
import { parsePullSecret, type PullSecret } from '../registry/index.ts'
import type { ReleaseContents } from '../release.ts'
import type { LookupOptions, ReleaseSource } from '../release-source.ts'
import { CachedReleases, type CachedReleasesOptions, type ReleaseShelf } from './cached-releases.ts'

const minute = 60_000
const digestA = asDigest(`sha256:${'a'.repeat(64)}`)
const digestB = asDigest(`sha256:${'b'.repeat(64)}`)

/** Releases at the test's command; counts what it is asked. */
class TestSource implements ReleaseSource {
  tag: Digest = digestA
  failure: Error | undefined
  delay = 0
  asked: string[] = []
  readonly clock: VirtualClock

  constructor(clock: VirtualClock) {
    this.clock = clock
  }

  keyOf(reference: ImageReference, { pullSecret }: { readonly pullSecret?: PullSecret }): string {
    return pullSecret?.credentialFor(reference)?.fingerprint ?? ''
  }

  async digestOf(reference: ImageReference, { signal }: LookupOptions): Promise<Digest> {
    if (reference.digest !== undefined) return reference.digest
    this.asked.push('tag')
    if (this.delay > 0) await this.clock.sleep(this.delay, signal)
    if (this.failure !== undefined) throw this.failure
    return this.tag
  }

  async read(_: ImageReference, digest: Digest, { signal }: LookupOptions): Promise<ReleaseContents> {
    this.asked.push(digest.slice(7, 8))
    if (this.delay > 0) await this.clock.sleep(this.delay, signal)
    if (this.failure !== undefined) throw this.failure
    const version = digest === digestA ? '4.20.1' : '4.20.2'
    return { version, architecture: 'amd64', images: new Map(), metadata: { previous: [], url: undefined } }
  }
}

function setUp(options: Partial<CachedReleasesOptions> = {}): { clock: VirtualClock; source: TestSource; releases: CachedReleases } {
  const clock = new VirtualClock({ start: 0 })
  const source = new TestSource(clock)
  return { clock, source, releases: new CachedReleases({ source, clock, ...options }) }
}

const tag = 'example.com/ocp/release:stable'
const secretOf = (user: string): PullSecret =>
  parsePullSecret(JSON.stringify({ auths: { 'example.com': { username: user, password: 'x' } } }))

describe('releases that were looked up', () => {
  it('2.7 by tag are the same object for 30 minutes', async () => {
    const { clock, source, releases } = setUp()
    const first = await releases.resolve(tag)
    source.tag = digestB
    await clock.advance(30 * minute - 1)
    assert.equal(await releases.resolve(tag), first)
    await clock.advance(1)
    const second = await releases.resolve(tag)
    assert.deepEqual([first.version, first.digest, second.version, second.digest], ['4.20.1', digestA, '4.20.2', digestB])
  })

  it('2.7 by tag share what the digest says, also when the tag is asked for again', async () => {
    const { clock, source, releases } = setUp()
    const first = await releases.resolve(tag)
    await clock.advance(31 * minute)
    const second = await releases.resolve(tag)
    assert.equal(second.images, first.images)
    assert.deepEqual(source.asked, ['tag', 'a', 'tag'])
  })

  it('by digest are never asked for again', async () => {
    const { clock, source, releases } = setUp()
    const pullspec = `example.com/ocp/release@${digestA}`
    const first = await releases.resolve(pullspec)
    await clock.advance(1000 * minute)
    assert.equal(await releases.resolve(pullspec), first)
    assert.equal((await releases.resolve(`mirror.local/x@${digestA}`)).images, first.images)
    assert.deepEqual(source.asked, ['a'])
  })

  it('2.1 are recorded by the repository that was asked for and the digest', async () => {
    const { releases } = setUp()
    const { pullspec, image } = await releases.resolve('example.com/ocp/release:stable')
    assert.deepEqual([pullspec, image], [tag, `example.com/ocp/release@${digestA}`])
    const both = await releases.resolve(`example.com/ocp/release:old@${digestB}`)
    assert.equal(both.image, `example.com/ocp/release@${digestB}`)
  })

  it('are bounded in number', async () => {
    const { source, releases } = setUp({ releasesKept: 1 })
    await releases.resolve(`example.com/one@${digestA}`)
    await releases.resolve(`example.com/one@${digestB}`)
    await releases.resolve(`example.com/two@${digestA}`)
    assert.deepEqual(source.asked, ['a', 'b', 'a'])
  })

  it('are looked up once for all who ask at the same time with the same credentials', async () => {
    const { clock, source, releases } = setUp()
    source.delay = 10
    const all = [
      releases.resolve(tag, { pullSecret: secretOf('one') }),
      releases.resolve(tag, { pullSecret: secretOf('one') }),
      releases.resolve(tag, { pullSecret: secretOf('two') }),
    ]
    await clock.runUntilIdle()
    const [one, same, two] = await Promise.all(all)
    assert.equal(one, same)
    assert.notEqual(one, two)
    assert.equal(source.asked.filter((what) => what === 'tag').length, 2)
  })

  it('take no longer than two minutes, and then nothing is known', async () => {
    const { clock, source, releases } = setUp()
    source.delay = 100_000
    const lookup = assert.rejects(releases.resolve(tag), (error) => {
      assert.ok(error instanceof RegistryUnreachableError)
      assert.match(error.message, /^release image example.com\/ocp\/release:stable: it could not be looked up within 120 s$/)
      return true
    })
    await clock.runUntilIdle()
    await lookup
    assert.equal(clock.now(), 120_000)
  })

  it('are not waited for by who is aborted, and the next one is not told of it', async () => {
    const { clock, source, releases } = setUp()
    source.delay = 1000
    const control = new AbortController()
    const lookup = assert.rejects(releases.resolve(tag, { signal: control.signal }), /enough/)
    clock.after(10, () => control.abort(new Error('enough')))
    await clock.advance(20)
    await lookup
    const next = releases.resolve(tag)
    await clock.runUntilIdle()
    assert.equal((await next).version, '4.20.1')
  })

  it('need a pullspec that is one', async () => {
    const { source, releases } = setUp()
    await assert.rejects(releases.resolve('no image'), (error) => {
      assert.ok(error instanceof ReleaseInvalidError)
      assert.match(error.message, /white space/)
      return true
    })
    assert.deepEqual(source.asked, [])
  })
})

describe('failures', () => {
  /** Seconds between two questions when somebody asks every second. */
  async function gaps(failure: Error, until: number): Promise<readonly number[]> {
    const { clock, source, releases } = setUp()
    source.failure = failure
    const times: number[] = []
    while (clock.now() <= until) {
      const before = source.asked.length
      await assert.rejects(releases.resolve(tag), failure)
      if (source.asked.length > before) times.push(clock.now() / 1000)
      await clock.advance(1000)
    }
    return times.slice(1).map((time, index) => time - (times[index] ?? 0))
  }

  it('that may pass by themselves are asked about again soon, then less and less often', async () => {
    assert.deepEqual(await gaps(new RegistryUnreachableError(tag, 'down'), 100_000), [2, 4, 8, 16, 30, 30])
  })

  it('that somebody has to mend are asked about less often', async () => {
    assert.deepEqual(await gaps(new ReleaseNotFoundError(tag, 'no'), 500_000), [15, 30, 60, 120, 120, 120])
  })

  it('last at least as long as the registry asked', async () => {
    assert.deepEqual(await gaps(new RegistryUnreachableError(tag, 'busy', { retryAfter: 45_000 }), 100_000), [45, 45])
  })

  it('are forgotten when it works again', async () => {
    const { clock, source, releases } = setUp({ tagLifetime: 1 })
    source.failure = new RegistryUnreachableError(tag, 'down')
    await assert.rejects(releases.resolve(tag))
    await clock.advance(2000)
    await assert.rejects(releases.resolve(tag))
    await clock.advance(4000)
    source.failure = undefined
    await releases.resolve(tag)
    source.failure = new RegistryUnreachableError(tag, 'down')
    await clock.advance(10)
    await assert.rejects(releases.resolve(tag))
    await clock.advance(2000)
    source.failure = undefined
    assert.equal((await releases.resolve(tag)).version, '4.20.1')
  })

  it('of one credential are not those of another', async () => {
    const { source, releases } = setUp()
    source.failure = new ReleaseNotFoundError(tag, 'no')
    await assert.rejects(releases.resolve(tag, { pullSecret: secretOf('one') }))
    source.failure = undefined
    assert.equal((await releases.resolve(tag, { pullSecret: secretOf('two') })).version, '4.20.1')
  })

  it('that nobody foresaw are not remembered', async () => {
    const { source, releases } = setUp()
    source.failure = new TypeError('a bug')
    await assert.rejects(releases.resolve(tag), TypeError)
    source.failure = undefined
    assert.equal((await releases.resolve(tag)).version, '4.20.1')
  })
})

describe('a shelf', () => {
  it('has releases for the next process', async () => {
    const kept = new Map<Digest, ReleaseContents>()
    const shelf: ReleaseShelf = {
      load: (digest) => Promise.resolve(kept.get(digest)),
      save: (digest, contents) => Promise.resolve(void kept.set(digest, contents)),
    }
    const first = setUp({ shelf })
    await first.releases.resolve(tag)
    const second = setUp({ shelf })
    assert.equal((await second.releases.resolve(tag)).version, '4.20.1')
    assert.deepEqual(second.source.asked, ['tag'])
  })

  it('that cannot be used is told, and nothing else', async () => {
    const problems: string[] = []
    const shelf: ReleaseShelf = {
      load: () => Promise.reject(new Error('no such disk')),
      save: () => Promise.reject(new Error('no such disk')),
    }
    const { releases } = setUp({ shelf, onProblem: (message) => problems.push(message) })
    assert.equal((await releases.resolve(tag)).version, '4.20.1')
    assert.equal(problems.length, 2)
    assert.match(problems.join('\n'), /cannot be read .*\n.*cannot be kept/)
  })
})
