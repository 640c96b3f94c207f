import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { HostedCluster } from '@windlass/api'
import { aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { parseVersion } from '@windlass/core'
import { aMachineConfig, aNewPool, aWorld, configMapWith, coreConfigs, seenIn } from '../testing/index.ts'
import {
  apiProxyConfig,
  globalConfig,
  hashedStream,
  hashesOf,
  noProxyOf,
  parseManifest,
  rawConfig,
  readDocuments,
  releaseStream,
  isProxyConfigOurs,
  streamProblem,
} from './index.ts'

const vector = {
  raw: 'test config',
  version: '4.7.0',
  pullSecretName: 'pull-secret',
  trustBundleName: 'trust-bundle',
  globalConfig: 'global config',
  osStream: '',
}
const hash = (change: Partial<typeof vector> = {}) => hashesOf({ ...vector, ...change })

const rawOf = (pool = aNewPool(), ...more: Parameters<typeof configMapWith>[]) => {
  const seen = seenIn(aWorld(pool, undefined, ...more.map((each) => configMapWith(...each))))
  return rawConfig({ ...seen, images: new Map([['haproxy-router', 'example.com/haproxy']]) })
}

describe('the hashes of a configuration', () => {
  it('NP-29 are the specified ones', () => {
    assert.equal(hash().hash, 'bb196408')
    assert.equal(hash().configHash, '85234650')
    assert.equal(hash({ version: '4.8.0' }).hash, '27bb7699')
    assert.equal(hash({ osStream: 'rhel-10' }).hash, '2dbbd41b')
  })

  it('NP-34 hold what the whole cluster says in H alone', () => {
    const other = hash({ globalConfig: 'another' })
    assert.notEqual(other.hash, hash().hash)
    assert.equal(other.configHash, hash().configHash)
  })

  it('hold the version in H alone', () => assert.equal(hash({ version: '4.8.0' }).configHash, hash().configHash))
})

describe('the machine configuration', () => {
  const config = (...names: readonly string[]) => aNewPool({ spec: { config: names.map((name) => ({ name })) } })
  const a = ['a', 'clusters', { config: aMachineConfig('a') }] satisfies Parameters<typeof configMapWith>
  const b = ['b', 'clusters', { config: aMachineConfig('b') }] satisfies Parameters<typeof configMapWith>

  it('NP-30 does not depend on the order of references', () => {
    const [forth, back] = [rawOf(config('a', 'b'), a, b), rawOf(config('b', 'a'), a, b)]
    assert.ok(forth.is === 'found' && back.is === 'found')
    assert.equal(forth.value.text, back.value.text)
  })

  it('NP-30 does not depend on the order of manifests and of keys, whatever they are', () => {
    const manifests = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(manifests, (names) => {
        const together = (order: readonly string[]) =>
          rawOf(config('all'), ['all', 'clusters', { config: order.map((name) => aMachineConfig(name)).join('\n---\n') }])
        const [forth, back] = [together(names), together(names.toReversed())]
        assert.ok(forth.is === 'found' && back.is === 'found')
        assert.equal(forth.value.text, back.value.text)
      }),
      { numRuns: 12 },
    )
    const [one] = readDocuments(
      configMapWith('x', 'y', { config: 'kind: KubeletConfig\napiVersion: machineconfiguration.openshift.io/v1\nspec: {b: 1, a: 2}' }),
    ).documents
    const [other] = readDocuments(
      configMapWith('x', 'y', { config: 'apiVersion: machineconfiguration.openshift.io/v1\nspec: {a: 2, b: 1}\nkind: KubeletConfig' }),
    ).documents
    assert.equal(one?.text, other?.text)
  })

  it('NP-31 changes with the contents of a ConfigMap', () => {
    const [before, after] = [rawOf(config('a'), a), rawOf(config('a'), ['a', 'clusters', { config: aMachineConfig('a', 'data:,y') }])]
    assert.ok(before.is === 'found' && after.is === 'found')
    assert.notEqual(before.value.text, after.value.text)
  })

  it('NP-08 waits for all of the cluster’s own', () => {
    const seen = seenIn(aWorld())
    const result = rawConfig({
      ...seen,
      configMaps: { ...seen.configMaps, core: coreConfigs.slice(1) },
      images: new Map([['haproxy-router', 'x']]),
    })
    assert.deepEqual(result, { is: 'failed', problem: 'expected 2 core ignition configs, found 1' })
  })

  it('waits for one more where images come from elsewhere, and where the control plane brings its own proxy', () => {
    const cluster = aHostedCluster({ spec: { imageContentSources: [{ source: 'quay.io/a', mirrors: ['example.com/a'] }] } })
    const seen = seenIn(aWorld(undefined, cluster))
    const images = new Map([['haproxy-router', 'x']])
    const problems = [true, false].map((leavesProxyConfigToUs) => {
      const result = rawConfig({ ...seen, controlPlaneOperator: { image: '', leavesProxyConfigToUs }, images })
      return result.is === 'failed' ? result.problem : ''
    })
    assert.deepEqual(problems, ['expected 3 core ignition configs, found 2', 'expected 4 core ignition configs, found 2'])
  })

  it('7.1 has the proxy of the control plane where its operator still makes that itself', () => {
    const proxy = configMapWith('ignition-config-apiserver-haproxy', 'clusters-prod', { config: aMachineConfig('proxy') })
    assert.deepEqual([isProxyConfigOurs(coreConfigs), isProxyConfigOurs([...coreConfigs, proxy])], [true, false])
  })

  it('NP-36 takes no other kinds', () => {
    const result = rawOf(config('a'), ['a', 'clusters', { config: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }' }])
    assert.ok(result.is === 'failed')
    assert.match(
      result.problem,
      /^configmap "a" yaml document failed validation: unsupported config type: apps\/v1, Kind=Deployment; nodes take MachineConfig/,
    )
  })

  it('tells everything that is wrong at once', () => {
    const result = rawOf(config('a', 'b', 'c'), ['a', 'clusters', { config: '{' }], ['b', 'clusters', {}])
    assert.ok(result.is === 'failed')
    assert.match(
      result.problem,
      /^\[configmap "c" not found in namespace "clusters", configmap "a" .*it is no YAML.*, no manifest found in configmap "b"/,
    )
  })

  it('is for workers, and selects the pool that is built in', () => {
    const [machine] = readDocuments(configMapWith('x', 'y', { config: aMachineConfig('m') })).documents
    assert.match(machine?.text ?? '', /machineconfiguration\.openshift\.io\/role: worker/)
    const [kubelet] = readDocuments(
      configMapWith('x', 'y', { config: 'apiVersion: machineconfiguration.openshift.io/v1\nkind: KubeletConfig\nspec: {}' }),
    ).documents
    assert.match(kubelet?.text ?? '', /machineconfiguration\.openshift\.io\/mco-built-in: ""/)
  })

  it('keeps mirrors as they are written, and image policies but for their version', () => {
    const mirrors = 'kind:   ImageDigestMirrorSet\napiVersion: config.openshift.io/v1'
    const policy = 'apiVersion: config.openshift.io/v1alpha1\nkind: ClusterImagePolicy # keep'
    const { documents } = readDocuments(configMapWith('x', 'y', { config: `---\n${mirrors}\n---\n\n---\n${policy}\n` }))
    assert.deepEqual(
      documents.map(({ text }) => text),
      [mirrors, 'apiVersion: config.openshift.io/v1\nkind: ClusterImagePolicy # keep'],
    )
  })

  it('reads modes of files in octal, as Kubernetes does, and times as texts', () => {
    assert.deepEqual(parseManifest('mode: 0644\nday: 2026-01-01\nis: yes'), { mode: 420, day: '2026-01-01', is: true })
  })

  it('knows when containers are run by runc', () => {
    const text =
      'apiVersion: machineconfiguration.openshift.io/v1\nkind: ContainerRuntimeConfig\nspec: { containerRuntimeConfig: { defaultRuntime: runc } }'
    const result = rawOf(config('a'), ['a', 'clusters', { config: text }])
    assert.ok(result.is === 'found' && result.value.usesRunc)
  })
})

describe('the proxy to the API server', () => {
  const proxyTextOf = (image: string, cluster = aHostedCluster()) => {
    const seen = seenIn(aWorld(undefined, cluster))
    const result = rawConfig({ ...seen, images: new Map([['haproxy-router', image]]) })
    return result.is === 'found' ? result.value.text : result.problem
  }

  it('changes with the release of the pool, whose image it is', () =>
    assert.notEqual(proxyTextOf('example.com/a'), proxyTextOf('example.com/b')))

  it('behind a proxy of the cluster it changes with the control plane operator instead', () => {
    const cluster = aHostedCluster({ spec: { configuration: { proxy: { httpsProxy: 'http://proxy:3128' } } } })
    assert.equal(proxyTextOf('example.com/a', cluster), proxyTextOf('example.com/b', cluster))
  })

  it('is written once, and anew when the same pool is to reach another API server, or has another image', () => {
    const pool = aNodePool()
    const configOf = (cluster: HostedCluster, image = 'example.com/a') =>
      apiProxyConfig({ pool, cluster, images: new Map([['haproxy-router', image]]), operatorImage: 'example.com/operator' })
    const valueOf = (...given: Parameters<typeof configOf>) => {
      const result = configOf(...given)
      return result.is === 'found' ? result.value : assert.fail(result.problem)
    }
    const moved = aHostedCluster({ status: { controlPlaneEndpoint: { host: 'elsewhere.example.com', port: 6443 } } })
    const first = valueOf(aHostedCluster())
    assert.equal(valueOf(aHostedCluster()), first)
    assert.notEqual(valueOf(moved).text, first.text)
    assert.notEqual(valueOf(aHostedCluster(), 'example.com/b').text, first.text)
    assert.equal(valueOf(aHostedCluster()).text, first.text)
  })

  it('waits until the API server has an address', () => {
    const { controlPlaneEndpoint: _, ...status } = aHostedCluster().status ?? assert.fail()
    assert.match(proxyTextOf('x', { ...aHostedCluster(), status }), /controlPlaneEndpoint is not set/)
  })
})

describe('the configuration of the whole cluster', () => {
  const of = (configuration: NonNullable<ReturnType<typeof aHostedCluster>['spec']['configuration']>, version = '4.19.6') =>
    globalConfig(aHostedCluster({ spec: { configuration } }), parseVersion(version))

  it('NP-34 changes with the registries that images come from', () => {
    assert.notEqual(of({ image: { registrySources: { blockedRegistries: ['example.com'] } } }), of({}))
  })

  it('NP-35 does not change with how people log in', () =>
    assert.equal(of({ oauth: { tokenConfig: { accessTokenMaxAgeSeconds: 60 } } }), of({})))

  it('does not change with an import mode that is empty', () =>
    assert.equal(of({ image: { imageStreamImportMode: '' } }), of({ image: {} })))

  it('holds the TLS profile from 4.23 on, also of a pre-release', () => {
    const profile = { apiServer: { tlsSecurityProfile: { type: 'Modern' } } }
    assert.equal(of(profile, '4.22.9'), of({}, '4.22.9'))
    assert.notEqual(of(profile, '4.23.0'), of({}, '4.23.0'))
    assert.notEqual(of(profile, '5.0.0-rc.1'), of({}, '5.0.0-rc.1'))
  })

  it('goes to everything inside of the cluster without a proxy', () => {
    const proxy = { httpProxy: 'http://proxy:3128', noProxy: 'example.com, 10.0.0.0/8' }
    const list = noProxyOf(aHostedCluster({ spec: { configuration: { proxy } } }))
    assert.equal(list, '.cluster.local,.svc,10.0.0.0/8,10.132.0.0/14,127.0.0.1,172.31.0.0/16,example.com,localhost')
    assert.equal(noProxyOf(aHostedCluster({ spec: { configuration: { proxy: { ...proxy, noProxy: '*' } } } })), '*')
    assert.equal(noProxyOf(aHostedCluster()), undefined)
  })
})

describe('the operating system', () => {
  const asking = (name: 'rhel-9' | 'rhel-10') => aNodePool({ spec: { osImageStream: { name } } })

  it('is that of the release: rhel-10 from 5.0 on, unless containers need runc', () => {
    const streams = [
      ['4.22.0', false],
      ['5.0.0', false],
      ['5.0.0', true],
      ['4.23.0', false],
    ] as const
    assert.deepEqual(
      streams.map(([version, usesRunc]) => releaseStream(parseVersion(version), usesRunc)),
      ['rhel-9', 'rhel-10', 'rhel-9', 'rhel-10'],
    )
  })

  it('counts in the hash only when it is not the usual one', () => {
    assert.equal(hashedStream(aNodePool(), parseVersion('4.19.0'), false), '')
    assert.equal(hashedStream(asking('rhel-9'), parseVersion('4.19.0'), false), '')
    assert.equal(hashedStream(asking('rhel-9'), parseVersion('5.0.0'), false), 'rhel-9')
  })

  it('cannot be rhel-10 before 5.0, nor with runc', () => {
    assert.match(streamProblem(asking('rhel-10'), parseVersion('4.22.0'), false) ?? '', /needs OpenShift 5\.0/)
    assert.match(streamProblem(asking('rhel-10'), parseVersion('5.0.0'), true) ?? '', /has no runc/)
    assert.equal(streamProblem(asking('rhel-10'), parseVersion('5.0.0'), false), undefined)
  })
})
