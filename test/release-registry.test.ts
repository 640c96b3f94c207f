import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { seededRandom, systemClock, type Clock } from '@windlass/core'
import {
  parsePullSecret,
  RegistryUnreachableError,
  type RegistryResolver,
  type RegistryResolverOptions,
  registryResolver,
  ReleaseInvalidError,
  ReleaseNotFoundError,
  ReleaseUnauthorizedError,
} from '@windlass/hosted'
import { buildIndex, buildRelease, someImages, tarOf } from '@windlass/hosted/testing'
import { askingRegistries, registrySettings } from '../packages/cli/src/operator/registries.ts'
import { findDockerRegistry } from '../scripts/tools/docker-registry.ts'
import { type Certificate, makeCertificate } from './release-registry/certificate.ts'
import { startMeddler } from './release-registry/meddler.ts'
import { type RunningRegistry, startRegistry } from './release-registry/registry.ts'
import { startTokenService } from './release-registry/token-service.ts'
import { startTunnel } from './release-registry/tunnel.ts'
import { temporaryFolder } from './support/windlass.ts'

const folder = temporaryFolder()
const cleanUps: (() => Promise<void>)[] = []
let binary: string
let certificate: Certificate

before(async () => {
  binary = await findDockerRegistry()
  certificate = makeCertificate(folder)
})

after(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  rmSync(folder, { recursive: true })
})

/** A resolver that gives up soon. It is closed when all tests are through. */
function resolver(options: Partial<RegistryResolverOptions> = {}): RegistryResolver {
  const made = registryResolver({
    clock: systemClock,
    random: seededRandom(1),
    retries: { attempts: 2, firstDelay: 1 },
    ...options,
  })
  cleanUps.push(() => made.close())
  return made
}

async function registry(name: string, options: Partial<Parameters<typeof startRegistry>[0]> = {}): Promise<RunningRegistry> {
  const started = await startRegistry({ binary, folder: join(folder, name), ...options })
  cleanUps.push(() => started.stop())
  return started
}

function pullSecret(entries: Readonly<Record<string, string>>): ReturnType<typeof parsePullSecret> {
  const auths = Object.entries(entries).map(([key, auth]) => [key, { auth: Buffer.from(auth).toString('base64') }])
  return parsePullSecret(JSON.stringify({ auths: Object.fromEntries(auths) }))
}

/** How a registry is told to want the password "opensesame" of "puller". */
function wantsPassword(): Partial<Parameters<typeof startRegistry>[0]> {
  const passwords = join(folder, 'htpasswd')
  // Hashed with bcrypt, which is the only form that it takes.
  writeFileSync(passwords, 'puller:$2b$05$abcdefghijklmnopqrstuuQbLfdQZSxZ9gjhA5V9o8Tyc6aQRO0Qi\n')
  return {
    auth: { htpasswd: { realm: 'test', path: passwords } },
    authorization: () => `Basic ${Buffer.from('puller:opensesame').toString('base64')}`,
  }
}

/** Layers that stand below the files of a release: far larger, and of no interest. */
const below = tarOf([{ path: 'usr/bin/cluster-version-operator', content: Buffer.alloc(300_000, 'cvo') }])

describe('a registry without TLS and credentials', () => {
  let open: RunningRegistry
  const image = buildRelease({ version: '4.20.1', lowerLayers: [below] })

  before(async () => {
    open = await registry('open')
    await open.push('ocp/release', image, '4.20.1-x86_64')
  })

  it('4.6 a tag becomes version, digest and component images', async () => {
    const release = await resolver({ insecureRegistries: [open.host] }).resolve(`${open.host}/ocp/release:4.20.1-x86_64`)
    assert.deepEqual(release, {
      pullspec: `${open.host}/ocp/release:4.20.1-x86_64`,
      version: '4.20.1',
      digest: image.digest,
      image: `${open.host}/ocp/release@${image.digest}`,
      architecture: 'amd64',
      images: new Map(Object.entries(someImages)),
      metadata: { previous: ['4.19.9', '4.20.0'], url: 'https://example.com/notes' },
      bootImages: [],
    })
  })

  it('4.6 the digest of the same image gives the same release', async () => {
    const releases = resolver({ insecureRegistries: [open.host] })
    const byTag = await releases.resolve(`${open.host}/ocp/release:4.20.1-x86_64`)
    const byDigest = await releases.resolve(`${open.host}/ocp/release@${image.digest}`)
    assert.equal(byDigest.image, byTag.image)
    assert.equal(byDigest.images, byTag.images)
  })

  it('a list of platforms is known by its own digest, and is for several architectures', async () => {
    for (const style of ['oci', 'docker'] as const) {
      const images = {
        amd64: buildRelease({ version: '4.21.0', style }),
        arm64: buildRelease({ version: '4.21.0', style, architecture: 'arm64' }),
      }
      const list = buildIndex(images, style)
      await open.push('ocp/release', list, `4.21.0-multi-${style}`)
      const release = await resolver({ insecureRegistries: [open.host] }).resolve(`${open.host}/ocp/release:4.21.0-multi-${style}`)
      assert.equal(release.digest, list.digest)
      assert.equal(release.version, '4.21.0')
      assert.equal(release.architecture, 'multi')
    }
  })

  it('the label tells the version without a look into the layers', async () => {
    const version = await resolver({ insecureRegistries: [open.host] }).labelledVersion(`${open.host}/ocp/release:4.20.1-x86_64`)
    assert.equal(version, '4.20.1')
  })

  it('answers a ping', async () => {
    await resolver({ insecureRegistries: [open.host] }).ping(open.host)
  })

  it('a tag or repository that is not there is not found', async () => {
    const releases = resolver({ insecureRegistries: [open.host] })
    await assert.rejects(releases.resolve(`${open.host}/ocp/release:9.9.9`), ReleaseNotFoundError)
    await assert.rejects(releases.resolve(`${open.host}/ocp/nothing:4.20.1`), ReleaseNotFoundError)
  })

  it('an image that is no release is invalid, and the message says what is missing', async () => {
    await open.push('ocp/release', buildRelease({ files: [{ path: 'etc/motd', content: 'hello' }], labels: {} }), 'no-release')
    await assert.rejects(resolver({ insecureRegistries: [open.host] }).resolve(`${open.host}/ocp/release:no-release`), (error) => {
      assert.ok(error instanceof ReleaseInvalidError)
      assert.match(error.message, /no layer has release-manifests\/image-references/)
      return true
    })
  })

  it('is not spoken to without TLS unless it is named', async () => {
    await assert.rejects(resolver().resolve(`${open.host}/ocp/release:4.20.1-x86_64`), (error) => {
      assert.ok(error instanceof RegistryUnreachableError)
      assert.match(error.message, /does not speak TLS .*insecure registries/)
      return true
    })
  })

  it('2.7 a tag that moves is seen when its entry has expired, and not before', async () => {
    let offset = 0
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + offset }
    const releases = resolver({ insecureRegistries: [open.host], clock })
    await open.push('ocp/moving', image, 'stable')
    assert.equal((await releases.resolve(`${open.host}/ocp/moving:stable`)).version, '4.20.1')
    await open.push('ocp/moving', buildRelease({ version: '4.20.2' }), 'stable')
    assert.equal((await releases.resolve(`${open.host}/ocp/moving:stable`)).version, '4.20.1')
    offset = 31 * 60_000
    assert.equal((await releases.resolve(`${open.host}/ocp/moving:stable`)).version, '4.20.2')
  })

  it('a blob with other bytes than its digest names makes the release invalid', async () => {
    const damaged = buildRelease({ version: '4.20.3' })
    await open.push('ocp/damaged', damaged, '4.20.3')
    const layer = [...damaged.blobs].at(-1)
    assert.ok(layer !== undefined)
    const bytes = Buffer.from(layer[1])
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
    writeFileSync(open.fileOf(layer[0]), bytes)
    await assert.rejects(resolver({ insecureRegistries: [open.host] }).resolve(`${open.host}/ocp/damaged:4.20.3`), (error) => {
      assert.ok(error instanceof ReleaseInvalidError)
      assert.match(error.message, new RegExp(`${layer[0]} as .* has the bytes of sha256:`))
      return true
    })
  })

  it('a blob that is not there any more makes the release invalid, not unknown', async () => {
    const damaged = buildRelease({ version: '4.20.4' })
    await open.push('ocp/damaged', damaged, '4.20.4')
    const layer = [...damaged.blobs.keys()].at(-1)
    assert.ok(layer !== undefined)
    rmSync(open.fileOf(layer))
    await assert.rejects(resolver({ insecureRegistries: [open.host] }).resolve(`${open.host}/ocp/damaged:4.20.4`), ReleaseInvalidError)
  })
})

describe('a registry that wants a password', () => {
  let locked: RunningRegistry

  before(async () => {
    locked = await registry('locked', wantsPassword())
    await locked.push('ocp/release', buildRelease(), '4.20.1')
  })

  it('gives the release to who knows it, by an entry for the registry or for a path in it', async () => {
    for (const key of [locked.host, `${locked.host}/ocp`, `${locked.host}/ocp/release`, `https://${locked.host}/v1/`]) {
      const secret = pullSecret({ [key]: 'puller:opensesame', 'example.com': 'somebody:else' })
      const release = await resolver({ insecureRegistries: [locked.host] }).resolve(`${locked.host}/ocp/release:4.20.1`, {
        pullSecret: secret,
      })
      assert.equal(release.version, '4.20.1')
    }
  })

  it('refuses a wrong password, which does not spoil it for the right one', async () => {
    const releases = resolver({ insecureRegistries: [locked.host] })
    const wrong = { pullSecret: pullSecret({ [locked.host]: 'puller:abracadabra' }) }
    await assert.rejects(releases.resolve(`${locked.host}/ocp/release:4.20.1`, wrong), (error) => {
      assert.ok(error instanceof ReleaseUnauthorizedError)
      assert.match(error.message, /The credentials of "puller" in the pull secret do not suffice/)
      assert.doesNotMatch(error.message, /abracadabra/)
      return true
    })
    const right = { pullSecret: pullSecret({ [locked.host]: 'puller:opensesame' }) }
    assert.equal((await releases.resolve(`${locked.host}/ocp/release:4.20.1`, right)).version, '4.20.1')
  })

  it('refuses who shows nothing, and the message says what to add', async () => {
    await assert.rejects(resolver({ insecureRegistries: [locked.host] }).resolve(`${locked.host}/ocp/release:4.20.1`), (error) => {
      assert.ok(error instanceof ReleaseUnauthorizedError)
      assert.match(error.message, /The pull secret has no credentials for it: add an entry/)
      return true
    })
  })
})

describe('a registry with TLS that sends for a token', () => {
  it('gives the release for one token, whose service gets the password', async () => {
    const tokens = await startTokenService(certificate, 'puller', 'opensesame')
    cleanUps.push(() => tokens.close())
    const guarded = await registry('guarded', {
      auth: tokens.auth,
      tls: { certificate: certificate.certificateFile, key: certificate.keyFile },
      authorization: (repository) => `Bearer ${tokens.issue(repository, ['pull', 'push'])}`,
    })
    await guarded.push('ocp/release', buildRelease(), '4.20.1')

    const options = { insecureRegistries: [tokens.host], ca: [certificate.certificate] }
    const secret = pullSecret({ [guarded.host]: 'puller:opensesame' })
    const release = await resolver(options).resolve(`${guarded.host}/ocp/release:4.20.1`, { pullSecret: secret })
    assert.equal(release.version, '4.20.1')
    assert.equal(tokens.given(), 1)

    const wrong = { pullSecret: pullSecret({ [guarded.host]: 'puller:abracadabra' }) }
    await assert.rejects(resolver(options).resolve(`${guarded.host}/ocp/release:4.20.1`, wrong), ReleaseUnauthorizedError)

    // The service itself has no TLS: without leave, no password is sent there.
    const strict = resolver({ ca: [certificate.certificate] })
    await assert.rejects(strict.resolve(`${guarded.host}/ocp/release:4.20.1`, { pullSecret: secret }), /without TLS/)

    await assert.rejects(resolver(options).resolve(`${guarded.host}/ocp/release:4.20.1`), ReleaseUnauthorizedError)
  })

  it('is unreachable for who does not trust its certificate, and the message says so', async () => {
    const guarded = await registry('distrusted', { tls: { certificate: certificate.certificateFile, key: certificate.keyFile } })
    await assert.rejects(resolver().resolve(`${guarded.host}/ocp/release:4.20.1`), (error) => {
      assert.ok(error instanceof RegistryUnreachableError)
      assert.match(error.message, /certificate that is not trusted/)
      return true
    })
    await resolver({ ca: [certificate.certificate] }).ping(guarded.host)
  })

  it('is reached through a proxy, which sees nothing but where it is', async () => {
    const guarded = await registry('proxied', { tls: { certificate: certificate.certificateFile, key: certificate.keyFile } })
    await guarded.push('ocp/release', buildRelease(), '4.20.1')
    const tunnel = await startTunnel(guarded.port)
    cleanUps.push(() => tunnel.close())
    const releases = resolver({ ca: [certificate.certificate], proxy: { https: `http://${tunnel.host}` } })
    const release = await releases.resolve('127.0.0.1:1/ocp/release:4.20.1')
    assert.equal(release.image, `127.0.0.1:1/ocp/release@${buildRelease().digest}`)
    assert.deepEqual([...new Set(tunnel.asked)], ['127.0.0.1:1'])
  })
})

describe('mirrors', () => {
  it('2.1 serve what the source cannot, and are never recorded', async () => {
    const mirror = await registry('mirror')
    const image = buildRelease()
    await mirror.push('copies/release', image, '4.20.1')
    const gone = await registry('gone')
    await gone.stop()
    const rule = { source: `${gone.host}/ocp`, mirrors: [`${mirror.host}/copies`] }
    const insecureRegistries = [mirror.host, gone.host]
    const digest = await resolver({ insecureRegistries, mirrors: { digests: [rule] } }).resolve(`${gone.host}/ocp/release@${image.digest}`)
    assert.equal(digest.version, '4.20.1')
    assert.equal(digest.image, `${gone.host}/ocp/release@${image.digest}`)

    const tag = await resolver({ insecureRegistries, mirrors: { tags: [rule] } }).resolve(`${gone.host}/ocp/release:4.20.1`)
    assert.equal(tag.image, `${gone.host}/ocp/release@${image.digest}`)

    const notForTags = resolver({ insecureRegistries, mirrors: { digests: [rule] } }).resolve(`${gone.host}/ocp/release:4.20.1`)
    await assert.rejects(notForTags, RegistryUnreachableError)
  })

  it('that are damaged are passed over', async () => {
    const image = buildRelease({ version: '4.20.5' })
    const [mirror, source] = [await registry('damaged-mirror'), await registry('sound-source')]
    for (const place of [mirror, source]) await place.push('ocp/release', image)
    for (const blob of image.blobs.keys()) writeFileSync(mirror.fileOf(blob), 'not what it was')
    const releases = resolver({
      insecureRegistries: [mirror.host, source.host],
      mirrors: { digests: [{ source: source.host, mirrors: [mirror.host] }] },
    })
    assert.equal((await releases.resolve(`${source.host}/ocp/release@${image.digest}`)).version, '4.20.5')
  })
})

describe('the operator', () => {
  it('finds a release where its mirrors, its authorities and its folder say', async () => {
    const image = buildRelease()
    const mirror = await registry('of-the-operator', { tls: { certificate: certificate.certificateFile, key: certificate.keyFile } })
    await mirror.push('copies/release', image, '4.20.1')
    const mirrors = join(folder, 'mirrors.yaml')
    const rule = { source: 'release.invalid/ocp', mirrors: [`${mirror.host}/copies`] }
    writeFileSync(mirrors, JSON.stringify({ kind: 'ImageDigestMirrorSet', spec: { imageDigestMirrors: [rule] } }))
    const flags = { registryMirrors: mirrors, registryCa: certificate.certificateFile, releaseCache: join(folder, 'operator', 'releases') }
    const pullspec = `release.invalid/ocp/release@${image.digest}`
    const ask = async (): Promise<string> => {
      const releases = await askingRegistries(await registrySettings(flags, {}), { clock: systemClock, random: seededRandom(1) })
      cleanUps.push(() => releases.close())
      return (await releases.resolve(pullspec)).image
    }
    assert.equal(await ask(), pullspec)
    await mirror.stop()
    assert.equal(await ask(), pullspec, 'it was kept')
  })
})

describe('a registry that comes and goes', () => {
  it('4.9 is unreachable while it is stopped, and gives the release when it is back', async () => {
    let offset = 0
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + offset }
    const first = await registry('restarted')
    await first.push('ocp/release', buildRelease(), '4.20.1')
    await first.stop()
    const releases = resolver({ insecureRegistries: [first.host], clock })
    await assert.rejects(releases.resolve(`${first.host}/ocp/release:4.20.1`), (error) => {
      assert.ok(error instanceof RegistryUnreachableError)
      assert.match(error.message, /does not answer \(ECONNREFUSED\)/)
      return true
    })
    await registry('restarted', { port: first.port })
    offset = 60_000
    assert.equal((await releases.resolve(`${first.host}/ocp/release:4.20.1`)).version, '4.20.1')
  })

  it('is not needed for a digest that a folder has from an earlier process', async () => {
    const image = buildRelease()
    const once = await registry('once')
    await once.push('ocp/release', image, '4.20.1')
    const kept = join(folder, 'kept')
    mkdirSync(kept)
    const before = await resolver({ insecureRegistries: [once.host], folder: kept }).resolve(`${once.host}/ocp/release:4.20.1`)
    await once.stop()
    assert.deepEqual(readdirSync(kept), [`${image.digest.replace(':', '-')}-amd64.json`])
    const later = await resolver({ insecureRegistries: [once.host], folder: kept }).resolve(before.image)
    assert.deepEqual({ ...later, pullspec: before.pullspec }, before)
  })
})

describe('a network that is not to be relied on', () => {
  const image = buildRelease({ version: '4.20.1', lowerLayers: [below] })
  let far: RunningRegistry

  before(async () => {
    far = await registry('far')
    await far.push('ocp/release', image, '4.20.1')
  })

  async function meddled(): Promise<Awaited<ReturnType<typeof startMeddler>>> {
    const meddler = await startMeddler(far.port)
    cleanUps.push(() => meddler.close())
    return meddler
  }

  it('an answer that breaks off is asked for again', async () => {
    const meddler = await meddled()
    let broken = 0
    meddler.meddle = (line) => (/blobs/.test(line) && broken++ < 1 ? { breakOffAfter: 20 } : undefined)
    const release = await resolver({ insecureRegistries: [meddler.host] }).resolve(`${meddler.host}/ocp/release:4.20.1`)
    assert.equal(release.version, '4.20.1')
    assert.ok(broken > 1)
  })

  it('an answer that always breaks off leaves the registry unreachable', async () => {
    const meddler = await meddled()
    meddler.meddle = (line) => (/blobs/.test(line) ? { breakOffAfter: 20 } : undefined)
    const lookup = resolver({ insecureRegistries: [meddler.host] }).resolve(`${meddler.host}/ocp/release:4.20.1`)
    await assert.rejects(lookup, RegistryUnreachableError)
  })

  it('blobs may be somewhere else, and nobody there sees the credentials', async () => {
    const locked = await registry('locked-front', wantsPassword())
    await locked.push('ocp/release', image, '4.20.1')
    const [front, storage] = [await startMeddler(locked.port), await meddled()]
    cleanUps.push(() => front.close())
    front.meddle = (line) => (/blobs/.test(line) ? { redirectTo: `http://${storage.host}${line.slice('GET '.length)}` } : undefined)
    const secret = pullSecret({ [front.host]: 'puller:opensesame' })
    const release = await resolver({ insecureRegistries: [front.host] }).resolve(`${front.host}/ocp/release:4.20.1`, { pullSecret: secret })
    assert.equal(release.version, '4.20.1')
    const blobs = (seen: typeof front.seen): readonly (string | undefined)[] =>
      seen.filter(({ line }) => /blobs/.test(line)).map(({ authorization }) => authorization?.split(' ')[0])
    assert.deepEqual(blobs(front.seen), ['Basic', 'Basic'])
    assert.deepEqual(blobs(storage.seen), [undefined, undefined])
  })

  it('many who ask at once are one request, and only the top layer is fetched', async () => {
    const meddler = await meddled()
    const releases = resolver({ insecureRegistries: [meddler.host] })
    const all = await Promise.all(Array.from({ length: 50 }, () => releases.resolve(`${meddler.host}/ocp/release:4.20.1`)))
    assert.equal(new Set(all).size, 1)
    const [config, , top] = [...image.blobs.keys()]
    assert.deepEqual(
      meddler.seen.map(({ line }) => line),
      [
        'HEAD /v2/ocp/release/manifests/4.20.1',
        `GET /v2/ocp/release/manifests/${image.digest}`,
        `GET /v2/ocp/release/blobs/${config}`,
        `GET /v2/ocp/release/blobs/${top}`,
      ],
    )
  })

  it('whoever loses patience gets the reason of the own signal', async () => {
    const meddler = await meddled()
    meddler.meddle = () => ({ breakOffAfter: 0 })
    const patience = AbortSignal.abort(new Error('enough'))
    const lookup = resolver({ insecureRegistries: [meddler.host] }).resolve(`${meddler.host}/ocp/release:4.20.1`, { signal: patience })
    await assert.rejects(lookup, /enough/)
  })
})
