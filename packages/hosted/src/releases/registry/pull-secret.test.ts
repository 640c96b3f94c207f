import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InvalidPullSecretError, parsePullSecret } from './pull-secret.ts'

function secretOf(auths: object): ReturnType<typeof parsePullSecret> {
  return parsePullSecret(JSON.stringify({ auths }))
}

function user(name: string): object {
  return { auth: Buffer.from(`${name}:password:with:colons`).toString('base64') }
}

function userFor(auths: object, registry: string, repository: string): string | undefined {
  const credential = secretOf(auths).credentialFor({ registry, repository })
  return credential?.kind === 'password' ? credential.username : credential?.kind
}

describe('a pull secret', () => {
  it('gives the most specific entry for a repository', () => {
    const auths = {
      'example.com': user('host'),
      'example.com/ocp': user('folder'),
      'example.com/ocp/release': user('repository'),
      'example.com:5000': user('port'),
    }
    assert.equal(userFor(auths, 'example.com', 'ocp/release'), 'repository')
    assert.equal(userFor(auths, 'example.com', 'ocp/release/deeper'), 'repository')
    assert.equal(userFor(auths, 'example.com', 'ocp/other'), 'folder')
    assert.equal(userFor(auths, 'example.com', 'ocpx/release'), 'host')
    assert.equal(userFor(auths, 'example.com:5000', 'ocp/release'), 'port')
    assert.equal(userFor(auths, 'elsewhere.com', 'ocp/release'), undefined)
  })

  it('knows the old names of registries, after the new ones', () => {
    assert.equal(userFor({ 'https://index.docker.io/v1/': user('old') }, 'docker.io', 'library/busybox'), 'old')
    assert.equal(userFor({ 'http://example.com/v2/': user('address') }, 'example.com', 'a'), 'address')
    const both = { 'https://example.com/v1/': user('old'), 'example.com': user('new') }
    assert.equal(userFor(both, 'example.com', 'a'), 'new')
  })

  it('splits user and password at the first colon', () => {
    const credential = secretOf({ 'example.com': user('somebody') }).credentialFor({ registry: 'example.com', repository: 'a' })
    assert.deepEqual([credential?.kind, credential?.kind === 'password' && credential.password], ['password', 'password:with:colons'])
  })

  it('takes user and password apart from each other too, and tokens of both sorts', () => {
    assert.equal(userFor({ 'example.com': { username: 'plain', password: 'x' } }, 'example.com', 'a'), 'plain')
    assert.equal(userFor({ 'example.com': { identitytoken: 'x' } }, 'example.com', 'a'), 'identity')
    assert.equal(userFor({ 'example.com': { registrytoken: 'x' } }, 'example.com', 'a'), 'bearer')
  })

  it('can say that a path is to be asked without credentials', () => {
    const auths = { 'example.com': user('host'), 'example.com/public': {} }
    assert.equal(userFor(auths, 'example.com', 'public/a'), undefined)
    assert.equal(userFor(auths, 'example.com', 'a'), 'host')
  })

  it('has fingerprints that are equal for equal credentials and tell nothing', () => {
    const at = (auths: object): string | undefined =>
      secretOf(auths).credentialFor({ registry: 'example.com', repository: 'a' })?.fingerprint
    assert.equal(at({ 'example.com': user('one') }), at({ 'example.com': user('one'), 'other.com': user('two') }))
    assert.notEqual(at({ 'example.com': user('one') }), at({ 'example.com': user('two') }))
    assert.doesNotMatch(at({ 'example.com': user('one') }) ?? '', /one|password/)
  })

  for (const [text, problem] of [
    ['not json', /it is not JSON/],
    ['[]', /it has no "auths"/],
    ['{"example.com":{"auth":"eDp5"}}', /it has no "auths"/],
    ['{"auths":{"example.com":"eDp5"}}', /auths\["example.com"\] is not an object/],
    ['{"auths":{"example.com":{"auth":"%%%"}}}', /auths\["example.com"\].auth is not the base64 of user:password/],
    ['{"auths":{"example.com":{"auth":"bm9jb2xvbg=="}}}', /is not the base64 of user:password/],
  ] as const) {
    it(`that is ${text} cannot be used, and says why`, () => {
      assert.throws(
        () => parsePullSecret(text),
        (error) => error instanceof InvalidPullSecretError && problem.test(error.message),
      )
    })
  }

  it('does not show its contents when it cannot be used', () => {
    assert.throws(
      () => parsePullSecret('{"auths": very-secret}'),
      (error) => error instanceof Error && !error.message.includes('very-secret') && error.cause === undefined,
    )
  })
})
