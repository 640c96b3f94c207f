import assert from 'node:assert/strict'
import { delimiter, join } from 'node:path'
import { describe, it } from 'node:test'
import { kubeconfig as written } from '@windlass/apiserver'
import { VirtualClock } from '@windlass/core'
import { loadKubeconfig, parseKubeconfig } from './kubeconfig.ts'
import { aKubeconfig, filesOf, pem } from './testing.ts'

const clock = new VirtualClock()
const env = {}
const readFile = filesOf({})
const parse = (content: string) => parseKubeconfig(content, { name: 'the kubeconfig f', folder: '/home/me', clock, env, readFile })

describe('a kubeconfig', () => {
  it('N22 that the embedded server wrote is read back', async () => {
    const [ca, certificate, key] = [pem('CERTIFICATE'), pem('CERTIFICATE'), pem('PRIVATE KEY')]
    const text = written({
      server: 'https://127.0.0.1:6443',
      ca,
      token: 'secret',
      clientCertificate: certificate,
      clientKey: key,
      namespace: 'prod',
    })
    const config = parse(text)
    assert.deepEqual(config.contexts, [{ name: 'windlass', cluster: 'windlass', user: 'admin', namespace: 'prod' }])
    assert.equal(config.context, 'windlass')
    const { credentials, ...way } = await config.access()
    assert.deepEqual(way, { server: 'https://127.0.0.1:6443', isInsecure: false, ca })
    assert.deepEqual(await credentials?.identity(), { headers: { authorization: 'Bearer secret' }, certificate, key })
  })

  it('N22 is read by its current context unless told, and JSON is YAML as well', async () => {
    const config = parse(
      aKubeconfig({
        clusters: { a: { server: 'https://a' }, b: { server: 'https://b/clusters/x' } },
        contexts: { first: { cluster: 'a', user: 'u' }, second: { cluster: 'b', user: 'u', namespace: 'n' } },
        current: 'first',
      }),
    )
    assert.deepEqual([(await config.access()).server, (await config.access('second')).server], ['https://a', 'https://b/clusters/x'])
    assert.deepEqual(
      config.contexts.map(({ name, namespace }) => [name, namespace]),
      [
        ['first', undefined],
        ['second', 'n'],
      ],
    )
  })

  it('N22 may have a context for nobody in particular', async () => {
    const config = parse(aKubeconfig({ contexts: { c: { cluster: 'c' } } }))
    assert.equal((await config.access()).credentials, undefined)
    const empty = parse(aKubeconfig({ users: { u: {} } }))
    assert.equal((await empty.access()).credentials, undefined)
  })

  it('N22 says how to reach the server: its name, a proxy, no questions asked', async () => {
    const cluster = {
      server: 'https://c',
      'insecure-skip-tls-verify': true,
      'tls-server-name': 'kubernetes',
      'proxy-url': 'http://proxy:3128',
    }
    const { credentials: _, ...way } = await parse(aKubeconfig({ clusters: { c: cluster } })).access()
    assert.deepEqual(way, { server: 'https://c', isInsecure: true, serverName: 'kubernetes', proxy: 'http://proxy:3128' })
  })

  it('N22 goes through the proxy of the environment when it has none of its own', async () => {
    const proxied = (config: string) => parseKubeconfig(config, { name: 'f', clock, readFile, env: { HTTPS_PROXY: 'proxy:3128' } }).access()
    assert.equal((await proxied(aKubeconfig({}))).proxy, 'http://proxy:3128')
    const own = aKubeconfig({ clusters: { c: { server: 'https://c', 'proxy-url': 'socks5://own:1080' } } })
    assert.equal((await proxied(own)).proxy, 'socks5://own:1080')
  })

  it('N22 may say whom the user pretends to be', async () => {
    const user = { token: 't', as: 'jane', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { Scopes: ['view', 'edit'] } }
    const { credentials } = await parse(aKubeconfig({ users: { u: user } })).access()
    assert.deepEqual((await credentials?.identity())?.headers, {
      authorization: 'Bearer t',
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-scopes': ['view', 'edit'],
    })
  })

  it('N22 may name files, from its own folder on', async () => {
    const files = filesOf({
      '/home/me/ca.pem': pem('CERTIFICATE'),
      '/home/me/keys/token': 'from-a-file\n',
      '/etc/tls.crt': 'cert',
      '/etc/tls.key': 'key',
    })
    const text = aKubeconfig({
      clusters: { c: { server: 'https://c', 'certificate-authority': 'ca.pem' } },
      users: { u: { token: 'older', tokenFile: 'keys/token', 'client-certificate': '/etc/tls.crt', 'client-key': '/etc/tls.key' } },
    })
    const { ca, credentials } = await parseKubeconfig(text, { name: 'f', folder: '/home/me', clock, env, readFile: files }).access()
    assert.equal(ca, pem('CERTIFICATE'))
    assert.deepEqual(await credentials?.identity(), { headers: { authorization: 'Bearer from-a-file' }, certificate: 'cert', key: 'key' })
  })
})

describe('kubeconfigs in files', () => {
  const a = aKubeconfig({
    clusters: { c: { server: 'https://a' } },
    contexts: { both: { cluster: 'c' }, a: { cluster: 'c' } },
    current: '',
  })
  const b = aKubeconfig({
    clusters: { c: { server: 'https://b' }, d: { server: 'https://d', 'certificate-authority': 'ca' } },
    contexts: { both: { cluster: 'd' }, b: { cluster: 'd' } },
    current: 'b',
  })
  const files = filesOf({ '/a/config': a, '/b/config': b, '/b/ca': pem('CERTIFICATE'), '/home/me/.kube/config': a })

  it('N22 of KUBECONFIG are one: the first counts, paths start from where they are written, missing ones do not matter', async () => {
    const KUBECONFIG = ['/a/config', '/none', '', '/b/config'].join(delimiter)
    const config = await loadKubeconfig({ clock, env: { KUBECONFIG }, readFile: files })
    assert.deepEqual(
      config.contexts.map(({ name, cluster }) => `${name} ${cluster}`),
      ['both c', 'a c', 'b d'],
    )
    assert.equal(config.context, 'b')
    assert.deepEqual(await config.access(), { server: 'https://d', isInsecure: false, ca: pem('CERTIFICATE') })
    assert.equal((await config.access('both')).server, 'https://a')
  })

  it('N22 are looked for where they were told, then in KUBECONFIG, then at home', async () => {
    const surroundings = { clock, env: { KUBECONFIG: '/b/config', HOME: '/home/me' }, readFile: files }
    assert.equal((await loadKubeconfig({ ...surroundings, file: '/a/config' })).name, 'the kubeconfig /a/config')
    assert.equal((await loadKubeconfig(surroundings)).name, 'the kubeconfig /b/config')
    assert.equal(
      (await loadKubeconfig({ ...surroundings, env: { HOME: '/home/me' } })).name,
      `the kubeconfig ${join('/home/me', '.kube/config')}`,
    )
    assert.equal((await loadKubeconfig({ ...surroundings, context: 'a' })).context, 'a')
  })

  it('N22 that cannot be read are refused in one sentence', async () => {
    const load = (env: Record<string, string>) => loadKubeconfig({ clock, env, readFile: files })
    await assert.rejects(load({ KUBECONFIG: '/none' }), {
      name: 'KubeconfigError',
      message: 'the kubeconfig /none cannot be read (there is no such file): choose another, or set KUBECONFIG',
    })
    await assert.rejects(load({ KUBECONFIG: ['/none', '/nothing'].join(delimiter) }), {
      message: 'none of the files in KUBECONFIG is there (/none, /nothing)',
    })
    await assert.rejects(load({}), { message: /^there is no kubeconfig: set KUBECONFIG/ })
  })
})

describe('a broken kubeconfig is refused in one sentence', () => {
  const cluster = (fields: object): string => aKubeconfig({ clusters: { c: { server: 'https://c', ...fields } } })
  const user = (fields: object): string => aKubeconfig({ users: { u: fields } })

  for (const [content, sentence] of [
    ['a: [1', /^the kubeconfig f is no YAML: /],
    ['- 1', /^the kubeconfig f is not a mapping$/],
    ['', /^the kubeconfig f has no current-context: set it, or choose a context$/],
    ['{}', /^the kubeconfig f has no current-context/],
    [aKubeconfig({ current: 'gone' }), /^the kubeconfig f has no context gone: it has c$/],
    [aKubeconfig({ contexts: { c: { cluster: 'gone' } } }), /^the kubeconfig f has no cluster gone: it has c$/],
    [aKubeconfig({ users: {} }), /^the kubeconfig f has no user u: it has no users at all$/],
    [aKubeconfig({ contexts: { c: {} } }), /^the kubeconfig f: context c has no cluster$/],
    ['{"current-context": "c", "contexts": "none"}', /^the kubeconfig f has a value for contexts that is no list$/],
    ['{"current-context": "c", "contexts": [{"context": {}}]}', /^the kubeconfig f: an entry of contexts has no name$/],
    ['{"current-context": "c", "contexts": [{"name": "c", "context": 7}]}', /^the kubeconfig f: context c is not a mapping$/],
    [cluster({ server: '' }), /^the kubeconfig f: cluster c has no server$/],
    [cluster({ server: 'ftp://x' }), /cluster c has the server ftp:\/\/x, which is no http or https address$/],
    [cluster({ server: 'https://me:hunter2@x' }), /cluster c has a server with a name or password in it: those belong to the user$/],
    [cluster({ server: 'https://x/?a=b' }), /cluster c has the server https:\/\/x\/\?a=b, which ends in more than a path$/],
    [cluster({ server: 7 }), /cluster c has a value for server that is no text$/],
    [cluster({ 'certificate-authority-data': '####' }), /cluster c has a value for certificate-authority-data that is not PEM in base64$/],
    [
      cluster({ 'certificate-authority': '/none/ca' }),
      /^the kubeconfig f: cluster c: the file \/none\/ca of its certificate-authority cannot be read \(there is no such file\)$/,
    ],
    [
      cluster({ 'certificate-authority-data': Buffer.from(pem('CERTIFICATE')).toString('base64'), 'insecure-skip-tls-verify': true }),
      /cluster c has both a certificate-authority and insecure-skip-tls-verify: remove the one that is not meant$/,
    ],
    [cluster({ 'insecure-skip-tls-verify': 'yes' }), /cluster c has a value for insecure-skip-tls-verify that is neither true nor false$/],
    [cluster({ 'proxy-url': 'ftp://x' }), /cluster c has a proxy-url that is no http, https or socks5 address$/],
    [user({ username: 'me', password: 'hunter2' }), /user u logs in with a name and a password, which no Kubernetes API takes any more/],
    [user({ 'client-certificate': 'a.pem' }), /user u has a client-certificate and no client-key: one is of no use without the other$/],
    [user({ 'client-key': 'a.pem' }), /user u has a client-key and no client-certificate/],
    [user({ 'client-key-data': 'hunter2' }), /user u has a value for client-key-data that is not PEM in base64$/],
    [user({ token: ['hunter2'] }), /user u has a value for token that is no text$/],
    [user({ 'as-groups': ['a'] }), /user u has groups, a uid or extra fields to impersonate \(as-…\) and no user: set as$/],
    [user({ 'as-groups': 'a', as: 'b' }), /user u has a value for as-groups that is no list of texts$/],
    [user({ exec: { command: 'x' } }), /user u: exec has no apiVersion$/],
    [
      user({ exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'x' } }),
      /exec has the apiVersion .*v1alpha1: v1 and v1beta1 of client\.authentication\.k8s\.io are known$/,
    ],
    [user({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Always' } }), /exec needs a terminal/],
    [user({ 'auth-provider': { name: 'gcp' } }), /auth-provider is gcp, which Kubernetes has given up: use the exec plugin/],
  ] satisfies [string, RegExp][]) {
    it(`N22 ${sentence.source}`, async () => {
      const reading = Promise.resolve(content).then((text) => parse(text).access())
      await assert.rejects(reading, (error: Error) => {
        assert.match(error.message, sentence)
        assert.doesNotMatch(error.message, /hunter2/)
        return error.name === 'KubeconfigError'
      })
    })
  }

  it('N22 and no line of it is shown: it holds secrets', () => {
    assert.throws(
      () => parse('token: "hunter2\n  : ['),
      (error: Error) => error.cause === undefined && !error.message.includes('hunter2'),
    )
  })
})
