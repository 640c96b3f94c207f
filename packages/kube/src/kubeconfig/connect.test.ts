import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ConfigMap, Namespace, Secret } from '@windlass/api'
import { type Embedded, startEmbedded } from '@windlass/apiserver'
import { aLogicalCluster, logicalClusters, until, urls } from '@windlass/apiserver/testing'
import { systemClock, systemRandom, VirtualClock } from '@windlass/core'
import { createClient, type RestClient } from '../client/index.ts'
import { HttpsTransport } from '../transport/index.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { kubeconfigFromSecret } from './from-secret.ts'
import { inClusterNamespace, inClusterOptions } from './in-cluster.ts'
import { aKubeconfig, filesOf } from './testing.ts'

const account = '/var/run/secrets/kubernetes.io/serviceaccount'
const client = { clock: systemClock, random: systemRandom, userAgent: 'test/1.0', fieldManager: 'test' }

describe('a client of the cluster that the surroundings lead to', () => {
  let embedded: Embedded
  before(async () => void (embedded = await startEmbedded({ definitions: [logicalClusters] })))
  after(() => embedded.close())

  const connected = (options: Partial<ConnectOptions>): Promise<RestClient> => connect({ ...client, env: {}, ...options })

  async function reaches(options: Partial<ConnectOptions>): Promise<boolean> {
    const reached = await connected(options)
    try {
      return (await reached.get(Namespace, { name: 'default' })).kind === 'Namespace'
    } finally {
      await reached.close()
    }
  }

  it('N22 goes by the kubeconfig it is told, by KUBECONFIG, by its pod, and by the kubeconfig at home', async () => {
    const wrong = aKubeconfig({ clusters: { c: { server: 'http://127.0.0.1:1' } } })
    const right = embedded.kubeconfig
    const pod = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(embedded.port) }
    const inPod = { [`${account}/ca.crt`]: embedded.ca, [`${account}/token`]: embedded.adminToken }
    const env = { KUBECONFIG: '/env', HOME: '/home/me', ...pod }
    assert.ok(await reaches({ kubeconfig: '/told', env, readFile: filesOf({ '/told': right, '/env': wrong }) }))
    assert.ok(await reaches({ env, readFile: filesOf({ '/env': right }) }))
    assert.ok(await reaches({ env: { ...pod, HOME: '/home/me' }, readFile: filesOf({ ...inPod, '/home/me/.kube/config': wrong }) }))
    assert.ok(await reaches({ env: { HOME: '/home/me' }, readFile: filesOf({ '/home/me/.kube/config': right }) }))
    assert.ok(
      await reaches({ context: 'windlass', env: { ...pod, HOME: '/home/me' }, readFile: filesOf({ '/home/me/.kube/config': right }) }),
    )
  })

  it('N22 finds the new token of its pod when the old one is refused', async () => {
    const files = { [`${account}/ca.crt`]: embedded.ca, [`${account}/token`]: 'expired' }
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(embedded.port) }
    const reached = await connected({ env, readFile: filesOf(files) })
    files[`${account}/token`] = embedded.adminToken
    assert.equal((await reached.get(Namespace, { name: 'default' })).kind, 'Namespace')
    await reached.close()
  })

  it('N22 goes into a logical cluster by the kubeconfig in its Secret, and ends with it', async () => {
    const management = await connected({ kubeconfig: '/k', readFile: filesOf({ '/k': embedded.kubeconfig }) })
    const transport = new HttpsTransport({
      server: embedded.url,
      ca: embedded.ca,
      credentials: { identity: () => ({ headers: { authorization: `Bearer ${embedded.adminToken}` } }) },
    })
    const body = JSON.stringify(aLogicalCluster('guest'))
    await transport.send({ method: 'POST', path: urls.logicalClusters, headers: { 'content-type': 'application/json' }, body })
    let place: { namespace: string; name: string; key: string } | undefined
    await until(async () => {
      const { body: answer } = await transport.send({ method: 'GET', path: urls.logicalCluster('guest') })
      place = (JSON.parse(answer.toString()) as { status?: { kubeconfigSecretRef?: typeof place } }).status?.kubeconfigSecretRef
      return place !== undefined
    })
    assert.ok(place !== undefined)
    const secret = await management.get(Secret, place)
    const guest = createClient({
      ...client,
      transport: new HttpsTransport(await kubeconfigFromSecret(secret, { key: place.key, clock: systemClock, env: {} })),
    })
    await guest.create(ConfigMap, { metadata: { namespace: 'default', name: 'inside' } })
    assert.equal(await management.find(ConfigMap, { namespace: 'default', name: 'inside' }), undefined)
    await guest.close()
    await assert.rejects(guest.get(Namespace, { name: 'default' }), { code: 'ERR_TRANSPORT_CLOSED' })
    await Promise.all([management.close(), transport.close()])
  })
})

describe('a pod', () => {
  const clock = new VirtualClock()
  const files = { [`${account}/ca.crt`]: 'ca', [`${account}/token`]: 'token\n', [`${account}/namespace`]: 'windlass\n' }

  it('N22 reaches its cluster as its service account, by IPv6 too', async () => {
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const { credentials, ...way } = await inClusterOptions({ env, readFile: filesOf(files), clock })
    assert.deepEqual(way, { server: 'https://[fd00::1]:443', ca: 'ca' })
    assert.deepEqual(await credentials?.identity(), { headers: { authorization: 'Bearer token' } })
    assert.equal(await inClusterNamespace({ readFile: filesOf(files) }), 'windlass')
    assert.equal(await inClusterNamespace({ readFile: filesOf({}) }), undefined)
  })

  it('N22 that is none, or has no service account, is told so', async () => {
    await assert.rejects(inClusterOptions({ env: {}, readFile: filesOf(files), clock }), {
      name: 'KubeconfigError',
      message: /^this is no pod/,
    })
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
    await assert.rejects(inClusterOptions({ env, readFile: filesOf({ [`${account}/ca.crt`]: 'ca' }), clock }), {
      message: `the service account of this pod: ${account}/token cannot be read (there is no such file)`,
    })
  })
})

describe('a kubeconfig in a Secret', () => {
  const clock = new VirtualClock()
  const encode = (text: string): string => Buffer.from(text).toString('base64')
  const secretWith = (data: Record<string, string>) => ({ metadata: { namespace: 'clusters', name: 'admin' }, data })

  it('N22 is under the key of HyperShift, of Cluster API, or the one that was told', async () => {
    const text = encode(aKubeconfig({}))
    for (const [data, options] of [
      [{ kubeconfig: text }, {}],
      [{ value: text }, {}],
      [{ other: text, value: 'nonsense' }, { key: 'other' }],
    ] satisfies [Record<string, string>, object][]) {
      assert.equal((await kubeconfigFromSecret(secretWith(data), { clock, env: {}, ...options })).server, 'https://c.example.com')
    }
    await assert.rejects(kubeconfigFromSecret(secretWith({ other: text }), { clock, env: {} }), {
      message: 'the Secret clusters/admin has no kubeconfig under kubeconfig or value',
    })
  })

  for (const [field, parts] of [
    ['certificate-authority', { clusters: { c: { server: 'https://c', 'certificate-authority': '/etc/passwd' } } }],
    ['client-certificate', { users: { u: { 'client-certificate': '/etc/passwd', 'client-key': '/etc/passwd' } } }],
    ['tokenFile', { users: { u: { tokenFile: `${account}/token` } } }],
    ['exec', { users: { u: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'rm' } } } }],
    ['auth-provider', { users: { u: { 'auth-provider': { name: 'oidc' } } } }],
  ] satisfies [string, Parameters<typeof aKubeconfig>[0]][]) {
    it(`N22 may not reach into this process by ${field}`, async () => {
      const reading = kubeconfigFromSecret(secretWith({ kubeconfig: encode(aKubeconfig(parts)) }), { clock, env: {} })
      await assert.rejects(reading, (error: Error) => {
        assert.match(error.message, new RegExp(`^the kubeconfig in the Secret clusters/admin: (cluster c|user u) .*${field}`))
        return error.name === 'KubeconfigError'
      })
    })
  }
})
