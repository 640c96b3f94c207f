import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proxyFromEnvironment } from './proxy.ts'

const proxies = { HTTPS_PROXY: 'http://secure:1', http_proxy: 'plain:2' }
const of = (server: string, env: Record<string, string> = proxies): string | undefined => proxyFromEnvironment(new URL(server), env)

describe('the proxy of the environment', () => {
  it('N22 is chosen by the scheme, in capitals or not, and is an http address unless it says otherwise', () => {
    assert.deepEqual(
      [of('https://c'), of('http://c'), of('https://c', {}), of('https://c', { HTTPS_PROXY: '' })],
      ['http://secure:1', 'http://plain:2', undefined, undefined],
    )
  })

  it('N22 is not used for this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]']) assert.equal(of(`https://${host}:6443`), undefined)
  })

  for (const [noProxy, direct, proxied] of [
    ['example.com', ['https://example.com', 'https://api.example.com'], ['https://notexample.com', 'https://example.org']],
    ['.example.com', ['https://api.example.com'], ['https://example.com']],
    ['*.example.com', ['https://api.example.com'], ['https://example.com']],
    ['example.com:6443', ['https://example.com:6443'], ['https://example.com']],
    ['example.com:443', ['https://example.com'], ['https://example.com:6443']],
    ['10.0.0.0/8, 192.168.1.7', ['https://10.1.2.3', 'https://192.168.1.7:6443'], ['https://11.1.2.3', 'https://192.168.1.8']],
    ['fd00::/8', ['https://[fd00::1]:6443'], ['https://[fe00::1]', 'https://10.0.0.1']],
    ['*', ['https://anything'], []],
    [',nonsense/8, 10.0.0.0/99', [], ['https://10.0.0.1']],
  ] satisfies [string, string[], string[]][]) {
    it(`N22 is not used for ${noProxy}`, () => {
      const env = { ...proxies, NO_PROXY: noProxy }
      assert.deepEqual(
        [...direct, ...proxied].filter((server) => of(server, env) === undefined),
        direct,
      )
    })
  }
})
