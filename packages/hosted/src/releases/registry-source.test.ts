import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom, systemClock, VirtualClock } from '@windlass/core'
import { RegistryUnreachableError, ReleaseInvalidError, ReleaseNotFoundError, ReleaseUnauthorizedError } from './errors.ts'
import { readMirrors } from './mirrors/index.ts'
import { digestOf } from './pullspec/index.ts'
import { parsePullSecret } from './registry/index.ts'
import { registryResolver, type RegistryResolver, type RegistryResolverOptions } from './registry-resolver.ts'
import { buildIndex, buildRelease, type Fault, MemoryRegistry } from './testing/index.ts'

const image = buildRelease()
const byDigest = `example.com/ocp/release@${image.digest}`

function setUp(options: Partial<RegistryResolverOptions> = {}): { memory: MemoryRegistry; releases: RegistryResolver } {
  const memory = new MemoryRegistry()
  const retries = { attempts: 1 }
  return { memory, releases: registryResolver({ clock: systemClock, random: seededRandom(1), transport: memory, retries, ...options }) }
}

const mirrored = { mirrors: { digests: [{ source: 'example.com/ocp', mirrors: ['one.local/ocp', 'two.local/ocp'] }] } }

/** What happens at one host. */
function at(host: string, fault: Fault): Fault {
  return (request) => (request.url.host === host ? fault(request) : undefined)
}

const isDown: Fault = () => {
  throw new Error('down')
}
const isLocked: Fault = () => ({ status: 403 })

/** Hosts that were asked, in order, each once. */
const hosts = (memory: MemoryRegistry): readonly string[] => [
  ...new Set(memory.requests.map((line) => new URL(line.split(' ')[1] ?? '').host)),
]

describe('a release in several places', () => {
  it('is taken from the first mirror that has it, and recorded by its own name', async () => {
    const { memory, releases } = setUp(mirrored)
    memory.push('two.local/ocp/release', image)
    const release = await releases.resolve(byDigest)
    assert.equal(release.image, byDigest)
    assert.deepEqual(hosts(memory), ['one.local', 'two.local'])
  })

  for (const [name, fault] of [
    ['is down', isDown],
    ['is locked', isLocked],
    ['gives something else', () => ({ status: 200, body: 'hello' })],
    ['is no registry', () => ({ status: 418 })],
  ] satisfies [string, Fault][]) {
    it(`is taken from the next one when a mirror ${name}`, async () => {
      const { memory, releases } = setUp(mirrored)
      memory.push('one.local/ocp/release', image)
      memory.push('example.com/ocp/release', image)
      memory.fault(at('one.local', fault))
      assert.equal((await releases.resolve(byDigest)).version, '4.20.1')
      assert.deepEqual(hosts(memory), ['one.local', 'two.local', 'example.com'])
    })
  }

  it('is taken from another place when a mirror lacks a part of it', async () => {
    const { memory, releases } = setUp(mirrored)
    memory.push('one.local/ocp/release', { ...image, blobs: new Map() })
    memory.push('example.com/ocp/release', image)
    assert.equal((await releases.resolve(byDigest)).version, '4.20.1')
  })

  it('is unknown when one of them cannot be reached and the others do not have it', async () => {
    const { memory, releases } = setUp(mirrored)
    memory.fault(at('two.local', isDown))
    await assert.rejects(releases.resolve(byDigest), (error) => {
      assert.ok(error instanceof RegistryUnreachableError)
      assert.match(
        error.message,
        /none of 3 places gives it: one.local has no .* \| two.local does not answer \(down\).* \| example.com has no /,
      )
      return true
    })
  })

  it('is what the source says when all could be asked', async () => {
    const { memory, releases } = setUp(mirrored)
    memory.fault(at('one.local', isLocked))
    await assert.rejects(releases.resolve(byDigest), ReleaseNotFoundError)
    const locked = setUp(mirrored)
    locked.memory.fault(at('example.com', isLocked))
    await assert.rejects(locked.releases.resolve(byDigest), ReleaseUnauthorizedError)
  })

  it('is looked for in the places that the question names, instead of the usual ones', async () => {
    const { memory, releases } = setUp(mirrored)
    memory.push('own.local/release', image)
    const own = readMirrors({ digests: [{ source: 'example.com/ocp', mirrors: ['own.local'], mirrorSourcePolicy: 'NeverContactSource' }] })
    assert.equal((await releases.resolve(byDigest, { mirrors: own })).version, '4.20.1')
    assert.deepEqual(hosts(memory), ['own.local'])
  })

  it('shows to each place the credentials that are for it', async () => {
    const { memory, releases } = setUp(mirrored)
    memory.push('example.com/ocp/release', image)
    const shown = new Map<string, string | undefined>()
    memory.fault(({ url, headers }) => {
      if (headers['authorization'] === undefined) return { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }
      shown.set(url.host, Buffer.from(headers['authorization'].slice('Basic '.length), 'base64').toString())
      return url.host === 'example.com' ? undefined : { status: 404 }
    })
    const auth = (user: string): object => ({ username: user, password: 'x' })
    const auths = { 'one.local': auth('one'), 'example.com/ocp': auth('source'), 'example.com': auth('other') }
    await releases.resolve(byDigest, { pullSecret: parsePullSecret(JSON.stringify({ auths })) })
    assert.deepEqual(Object.fromEntries(shown), { 'one.local': 'one:x', 'example.com': 'source:x' })
  })
})

describe('a release in virtual time', () => {
  it('takes the same steps every time', async () => {
    const steps = async (): Promise<{ version: string; milliseconds: number; requests: readonly string[] }> => {
      const clock = new VirtualClock({ start: 0 })
      const { memory, releases } = setUp({ ...mirrored, clock, retries: {} })
      const plain = buildRelease({ compress: (archive) => archive })
      memory.push('two.local/ocp/release', plain)
      let left = 3
      memory.fault(({ url }) => (url.host === 'one.local' || left-- > 0 ? { status: 503 } : undefined))
      const lookup = releases.resolve(`example.com/ocp/release@${plain.digest}`)
      await clock.settle()
      await clock.runUntilIdle()
      return { version: (await lookup).version, milliseconds: clock.now(), requests: memory.requests }
    }
    const [first, second] = [await steps(), await steps()]
    assert.deepEqual(first, second)
    assert.equal(first.version, '4.20.1')
    assert.equal(first.requests.length, 4 + 4 + 2)
    assert.ok(first.milliseconds > 2 * (125 + 250 + 500) && first.milliseconds < 2 * (250 + 500 + 1000))
  })
})

describe('a release for several platforms', () => {
  const list = buildIndex({ amd64: buildRelease(), arm64: buildRelease({ architecture: 'arm64' }) })
  const pullspec = `example.com/ocp/release@${list.digest}`

  it('is read from the image for the wanted one', async () => {
    const { memory, releases } = setUp({ architecture: 'arm64' })
    memory.push('example.com/ocp/release', list)
    assert.equal((await releases.resolve(pullspec)).architecture, 'multi')
    assert.ok(memory.requests.some((line) => line.includes(buildRelease({ architecture: 'arm64' }).digest)))
  })

  it('is invalid without an image for it', async () => {
    const { memory, releases } = setUp({ architecture: 's390x' })
    memory.push('example.com/ocp/release', list)
    await assert.rejects(releases.resolve(pullspec), (error) => {
      assert.ok(error instanceof ReleaseInvalidError)
      assert.match(error.message, /no image for linux\/s390x; there is linux\/amd64, linux\/arm64/)
      return true
    })
  })

  it('is for one if the list has only one', async () => {
    const { memory, releases } = setUp()
    const single = buildIndex({ amd64: buildRelease() })
    memory.push('example.com/ocp/release', single)
    const release = await releases.resolve(`example.com/ocp/release@${single.digest}`)
    assert.deepEqual([release.architecture, release.digest], ['amd64', single.digest])
  })
})

describe('an image that is no release', () => {
  it('is invalid, without a look elsewhere: the bytes were the right ones', async () => {
    const { memory, releases } = setUp(mirrored)
    const plain = buildRelease({ files: [{ path: 'etc/motd' }] })
    memory.push('one.local/ocp/release', plain)
    await assert.rejects(releases.resolve(`example.com/ocp/release@${plain.digest}`), (error) => {
      assert.ok(error instanceof ReleaseInvalidError)
      assert.match(error.message, /not of a release. Name a release image.$/)
      return true
    })
    assert.deepEqual(hosts(memory), ['one.local'])
  })

  it('may have layers that are no archives', async () => {
    const { memory, releases } = setUp()
    const broken = buildRelease({ compress: () => Buffer.from('no archive '.repeat(100)) })
    memory.push('example.com/ocp/release', broken)
    await assert.rejects(releases.resolve(`example.com/ocp/release@${broken.digest}`), ReleaseInvalidError)
  })

  it('may have a configuration that is none', async () => {
    const { memory, releases } = setUp()
    const config = Buffer.from('hello')
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, config: { digest: digestOf(config), size: 5 }, layers: [] }))
    const manifests = new Map([[digestOf(bytes), { mediaType: '', bytes }]])
    memory.push('example.com/ocp/release', { digest: digestOf(bytes), manifests, blobs: new Map([[digestOf(config), config]]) })
    await assert.rejects(releases.resolve(`example.com/ocp/release@${digestOf(bytes)}`), /its configuration is not JSON/)
  })
})

describe('a first look', () => {
  it('takes the version from the label', async () => {
    const { memory, releases } = setUp()
    memory.push('example.com/ocp/release', image, 'stable')
    memory.push('example.com/ocp/release', buildRelease({ labels: {} }), 'bare')
    assert.equal(await releases.labelledVersion('example.com/ocp/release:stable'), '4.20.1')
    assert.equal(memory.requests.length, 3)
    assert.equal(await releases.labelledVersion('example.com/ocp/release:bare'), undefined)
    await assert.rejects(releases.labelledVersion('example.com/ocp/release:gone'), ReleaseNotFoundError)
    await assert.rejects(releases.labelledVersion('no image'), ReleaseInvalidError)
    await releases.ping('example.com')
    await releases.close()
  })
})
