import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { kubeconfig } from '@windlass/apiserver'
import { parseKubeconfig, readKubeconfig } from './read.ts'

const pem = (what: string): string => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`

/** With whatever differs from a sound one. */
const aConfig = ({ cluster = {}, user = {}, ...rest }: Record<string, object | string> = {}): string =>
  JSON.stringify({
    'current-context': 'here',
    contexts: [
      { name: 'there', context: { cluster: 'other', user: 'other' } },
      { name: 'here', context: { cluster: 'c', user: 'u' } },
    ],
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:6443', ...Object(cluster) } }],
    users: [{ name: 'u', user: { token: 'secret', ...Object(user) } }],
    ...rest,
  })

describe('a kubeconfig', () => {
  it('that the server wrote gives back what was put in', () => {
    const [ca, certificate, key] = [pem('CERTIFICATE'), pem('CERTIFICATE'), pem('PRIVATE KEY')]
    const written = kubeconfig({ server: 'https://127.0.0.1:6443', ca, token: 'secret', clientCertificate: certificate, clientKey: key })
    const expected = { server: 'https://127.0.0.1:6443', isInsecure: false, ca, token: 'secret', certificate, key }
    assert.deepEqual(parseKubeconfig(written, 'kubeconfig'), expected)
  })

  it('is read by its current context, and JSON is YAML as well', () => {
    assert.deepEqual(parseKubeconfig(aConfig({ cluster: { 'insecure-skip-tls-verify': true, 'tls-server-name': 'kubernetes' } }), 'f'), {
      server: 'https://127.0.0.1:6443',
      isInsecure: true,
      serverName: 'kubernetes',
      token: 'secret',
    })
  })

  it('may name files, from its own folder on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'windlass-kubeconfig-'))
    after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'ca.pem'), pem('CERTIFICATE'))
    writeFileSync(join(folder, 'token'), 'from-a-file\n')
    writeFileSync(
      join(folder, 'config'),
      aConfig({ cluster: { 'certificate-authority': 'ca.pem' }, user: { token: '', tokenFile: 'token' } }),
    )
    const { ca, token } = readKubeconfig(join(folder, 'config'))
    assert.deepEqual([ca, token], [pem('CERTIFICATE'), 'from-a-file'])
  })
})

describe('a broken kubeconfig is refused in one sentence', () => {
  for (const [content, sentence] of [
    ['a: [1', /^the kubeconfig f is no YAML: /],
    ['', /^the kubeconfig f is (no YAML|not a mapping)/],
    ['- 1', /^the kubeconfig f is not a mapping$/],
    ['{}', /^the kubeconfig f has no current-context$/],
    [aConfig({ 'current-context': 'gone' }), /^the kubeconfig f has no context gone$/],
    [aConfig({ contexts: 'none' }), /^the kubeconfig f has no contexts$/],
    [aConfig({ clusters: [] }), /^the kubeconfig f has no cluster c$/],
    [aConfig({ users: [{ name: 'u' }] }), /^the kubeconfig f: user u is not a mapping$/],
    [aConfig({ cluster: { server: '' } }), /^the kubeconfig f: cluster c has no server$/],
    [aConfig({ cluster: { server: 'ftp://x' } }), /cluster c has the server ftp:\/\/x, which is no http or https address$/],
    [aConfig({ cluster: { server: 7 } }), /cluster c has a server that is no text$/],
    [aConfig({ cluster: { 'certificate-authority-data': '####' } }), /has a certificate-authority-data that is not PEM in base64$/],
    [
      aConfig({ cluster: { 'certificate-authority': '/none/ca' } }),
      /the file \/none\/ca of its certificate-authority cannot be read \(there is no such file\)/,
    ],
    [aConfig({ user: { exec: { command: 'login' } } }), /user u logs in by exec, which is not supported/],
  ] satisfies [string, RegExp][]) {
    it(String(sentence), () => {
      assert.throws(
        () => parseKubeconfig(content, 'f'),
        (error: Error) => error.name === 'Failure' && sentence.test(error.message),
      )
    })
  }

  it('and no line of it is shown: it holds secrets', () => {
    assert.throws(
      () => parseKubeconfig('token: "hunter2\n  : [', 'f'),
      (error: Error) => !error.message.includes('hunter2'),
    )
  })

  it('as is a list of several', () => {
    assert.throws(() => readKubeconfig(['a', 'b'].join(delimiter)), { message: /names several files .*: choose one with --kubeconfig$/ })
  })
})
