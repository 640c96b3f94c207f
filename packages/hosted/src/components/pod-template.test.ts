import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedControlPlane, PodTemplate } from '@windlass/api'
import type { Component } from './component.ts'
import { ManifestError } from './errors.ts'
import { missingImagesOf } from './images.ts'
import { podTemplateOf, priorityClassOf } from './pod-template.ts'
import { etcdShard, registry } from './registry.ts'
import { deployment } from './rows.ts'
import { aControlPlaneOn, anObservation, aRelease, imageAt, noFacts } from './testing/index.ts'
import type { ObservationOptions } from './testing/index.ts'

const own = (name: string) => `hypershift.openshift.io/${name}`
const configHash = 'component.hypershift.openshift.io/config-hash'
const component = (name: string): Component => registry.get(name) ?? assert.fail(name)
const annotatedWith = (name: string, value: string, platform = 'None') => aControlPlaneOn(platform, { annotations: { [own(name)]: value } })

function podsOf(
  name: string,
  hcp: HostedControlPlane = aControlPlaneOn('None'),
  options: ObservationOptions = {},
  isSpread = false,
): PodTemplate {
  return podTemplateOf(component(name), anObservation({ hcp, ...options }), undefined, isSpread)
}

const imageIn = (pods: PodTemplate, container: string) => pods.spec.containers.find(({ name }) => name === container)?.image

describe('images', () => {
  it('3.4 come from the payload', () => {
    const pods = podsOf('kube-apiserver', undefined, { release: aRelease('4.20.1') })
    assert.equal(imageIn(pods, 'kube-apiserver'), imageAt('4.20.1', 'hyperkube'))
    assert.equal(imageIn(pods, 'konnectivity-server'), imageAt('4.20.1', 'apiserver-network-proxy'))
    assert.equal(pods.spec.initContainers?.[0]?.image, imageAt('4.20.1', 'cluster-config-api'))
  })

  it('3.4 that the payload does not know stay as they are', () => {
    assert.equal(
      imageIn(podsOf('kube-scheduler', undefined, { release: aRelease('4.20.1', ['hyperkube']) }), 'kube-scheduler'),
      'hyperkube',
    )
  })

  it('3.4 of the cluster version operator fall back to the release of the control plane', () => {
    const hcp = aControlPlaneOn('None', { releaseImage: 'guest', controlPlaneReleaseImage: 'here' })
    const release = aRelease('4.20.1', ['cluster-version-operator'])
    assert.equal(imageIn(podsOf('cluster-version-operator', hcp, { release }), 'cluster-version-operator'), 'here')
  })

  it('1.9 that an annotation names win', () => {
    const hcp = annotatedWith('konnectivity-agent-image', 'example.com/agent:latest')
    const container = podsOf('konnectivity-agent', hcp).spec.containers[0]
    assert.deepEqual([container?.image, container?.imagePullPolicy], ['example.com/agent:latest', 'Always'])
  })

  it('1.9 that were put in the place of those of the payload run wherever these would, and nowhere else', () => {
    const hcp = annotatedWith('image-overrides', 'apiserver-network-proxy=example.com/proxy:latest,cluster-config-api=example.com/config:1')
    const { containers, initContainers = [] } = podsOf('kube-apiserver', hcp).spec
    const usual = podsOf('kube-apiserver').spec
    const changed = (now: typeof containers, before: typeof containers = []) =>
      now
        .filter((each, index) => each.image !== before[index]?.image)
        .map(({ name, image, imagePullPolicy }) => [name, image, imagePullPolicy])
    assert.deepEqual(changed(containers, usual.containers), [['konnectivity-server', 'example.com/proxy:latest', 'Always']])
    assert.deepEqual(changed(initContainers, usual.initContainers), [['init-bootstrap-render', 'example.com/config:1', 'IfNotPresent']])
    assert.equal(imageIn(podsOf('konnectivity-agent', hcp), 'konnectivity-agent'), 'example.com/proxy:latest')
    assert.deepEqual(podsOf('kube-scheduler', hcp), podsOf('kube-scheduler'))
  })

  it('1.9 that an annotation names for one container win over those that were put in the place of the payload', () => {
    const hcp = aControlPlaneOn('None', {
      annotations: {
        [own('konnectivity-agent-image')]: 'example.com/agent:1',
        [own('image-overrides')]: 'apiserver-network-proxy=example.com/proxy:1',
      },
    })
    assert.equal(imageIn(podsOf('konnectivity-agent', hcp), 'konnectivity-agent'), 'example.com/agent:1')
    assert.equal(imageIn(podsOf('kube-apiserver', hcp), 'konnectivity-server'), 'example.com/proxy:1')
  })

  it('that were put in the place of the payload in a way that nobody can read are refused, not guessed', () => {
    assert.throws(
      () => podsOf('kube-scheduler', annotatedWith('image-overrides', 'hyperkube')),
      /^ManifestError: component kube-scheduler: annotation hypershift\.openshift\.io\/image-overrides: "hyperkube" is not name=image/,
    )
  })

  it('3.4 are pulled once unless their tag moves', () => {
    assert.deepEqual([...new Set(podsOf('kube-apiserver').spec.containers.map(({ imagePullPolicy }) => imagePullPolicy))], ['IfNotPresent'])
  })

  it('3.4 must be there', () => {
    const blank = deployment('blank', [], () => true, { images: '' })
    assert.throws(
      () => podTemplateOf(blank, anObservation(), undefined, false),
      new ManifestError('blank', 'container blank has no image; name one of the payload or a pullspec'),
    )
  })

  it('of the machine provider are those of the platform', () => {
    const release = {
      version: '1.2.3',
      images: new Map([
        ['ibmcloud-cluster-api-controllers', 'ibm'],
        ['agent-cluster-api-controllers', 'agent'],
      ]),
    }
    assert.equal(imageIn(podsOf('capi-provider', aControlPlaneOn('PowerVS'), { release }), 'manager'), 'ibm')
    const agent = aControlPlaneOn('None', { platform: { agent: { agentNamespace: 'agents' } } })
    assert.equal(imageIn(podsOf('capi-provider', agent, { release }), 'manager'), 'agent')
  })

  it('1.9 of the machine provider may be named too, by platform', () => {
    const hcp = annotatedWith('capi-provider-kubevirt-image', 'example.com/provider:1', 'KubeVirt')
    assert.equal(imageIn(podsOf('capi-provider', hcp), 'manager'), 'example.com/provider:1')
    assert.deepEqual(missingImagesOf(component('capi-provider'), anObservation({ hcp })), [])
  })

  it('4.4 that are missing are known by name', () => {
    const release = aRelease('4.20.1', ['hyperkube', 'ovn-kubernetes', 'cluster-version-operator'])
    const missing = (name: string) => missingImagesOf(component(name), anObservation({ release }))
    assert.deepEqual(missing('kube-scheduler'), ['hyperkube'])
    assert.deepEqual(missing('cluster-network-operator'), ['ovn-kubernetes'])
    assert.deepEqual(missing('cluster-version-operator'), [])
    assert.deepEqual(missing('redhat-operators-catalog'), [])
    const hcp = annotatedWith('image-overrides', 'hyperkube=example.com/hyperkube:1')
    assert.deepEqual(missingImagesOf(component('kube-scheduler'), anObservation({ release, hcp })), [])
  })
})

describe('priority', () => {
  it('3.4 is highest for etcd, then for what the API depends on', () => {
    const hcp = aControlPlaneOn('None')
    assert.equal(priorityClassOf(component('etcd'), hcp), 'hypershift-etcd')
    assert.equal(priorityClassOf(etcdShard('events'), hcp), 'hypershift-etcd')
    assert.equal(priorityClassOf(component('oauth-openshift'), hcp), 'hypershift-api-critical')
    assert.equal(priorityClassOf(component('kube-scheduler'), hcp), 'hypershift-control-plane')
  })

  it('1.9 is what annotations say, each for its own', () => {
    for (const [name, annotation] of [
      ['etcd', 'etcd-priority-class'],
      ['kube-apiserver', 'api-critical-priority-class'],
      ['kube-scheduler', 'control-plane-priority-class'],
    ] as const) {
      assert.equal(priorityClassOf(component(name), annotatedWith(annotation, 'mine')), 'mine')
      assert.notEqual(priorityClassOf(component(name), annotatedWith(annotation, '')), '')
    }
    assert.equal(priorityClassOf(component('etcd'), annotatedWith('control-plane-priority-class', 'mine')), 'hypershift-etcd')
  })
})

describe('pods', () => {
  it('3.4 say which release they were made from, and when they were restarted last', () => {
    const hcp = aControlPlaneOn('None', {
      annotations: { [own('restart-date')]: 'today' },
      releaseImage: 'a',
      controlPlaneReleaseImage: 'b',
    })
    const annotations = podsOf('kube-scheduler', hcp).metadata?.annotations ?? {}
    assert.equal(annotations[own('release-image')], 'b')
    assert.equal(annotations[own('restart-date')], 'today')
    assert.equal(podsOf('kube-scheduler').metadata?.annotations?.[own('restart-date')], undefined)
  })

  it('3.4 carry labels of the cluster, which cannot replace ours', () => {
    const hcp = aControlPlaneOn('None', { labels: { team: 'a', app: 'theirs', [own('control-plane-component')]: 'theirs' } })
    const labels = podsOf('kube-apiserver', hcp).metadata?.labels
    assert.deepEqual(labels, {
      team: 'a',
      app: 'kube-apiserver',
      [own('control-plane-component')]: 'kube-apiserver',
      [own('hosted-control-plane')]: 'clusters-prod',
      [own('request-serving-component')]: 'true',
    })
  })

  it('3.4 write to no root file system, and have a place for what is temporary', () => {
    for (const { name, isEnabled: _, ...rest } of registry.components) {
      if (Object.keys(rest.images).length === 0) continue
      const { containers, initContainers = [], volumes } = podsOf(name).spec
      assert.ok(
        volumes?.some((volume) => volume.name === 'tmp-dir' && volume.emptyDir !== undefined),
        name,
      )
      for (const container of [...containers, ...initContainers]) {
        assert.equal(container.securityContext?.readOnlyRootFilesystem, true, name)
        assert.ok(
          container.volumeMounts?.some(({ mountPath }) => mountPath === '/tmp'),
          name,
        )
      }
    }
  })

  it('3.4 get a token of the management cluster only when they talk to it', () => {
    const hasToken = (name: string) => podsOf(name).spec.automountServiceAccountToken
    assert.deepEqual(['kube-apiserver', 'kube-scheduler', 'dns-operator'].map(hasToken), [false, false, false])
    assert.deepEqual(['etcd', 'cluster-network-operator', 'featuregate-generator'].map(hasToken), [true, true, true])
    assert.equal(podsOf('featuregate-generator').spec.serviceAccountName, 'control-plane-operator')
  })

  it('3.4 go where the owner of the cluster wants them', () => {
    const hcp = aControlPlaneOn('None', { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'infra', operator: 'Exists' }] })
    const { nodeSelector, tolerations } = podsOf('kube-scheduler', hcp).spec
    assert.deepEqual(nodeSelector, { disk: 'fast' })
    assert.deepEqual(tolerations, [
      { key: own('control-plane'), operator: 'Equal', value: 'true', effect: 'NoSchedule' },
      { key: own('cluster'), operator: 'Equal', value: 'clusters-prod', effect: 'NoSchedule' },
      { key: 'infra', operator: 'Exists' },
    ])
  })

  it('3.4 prefer nodes of control planes, best of their own, and each other', () => {
    const { affinity } = podsOf('kube-scheduler').spec
    const preferred = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    assert.deepEqual(
      preferred.map(({ weight, preference }) => [weight, preference.matchExpressions?.[0]?.key, preference.matchExpressions?.[0]?.values]),
      [
        [50, own('control-plane'), ['true']],
        [100, own('cluster'), ['clusters-prod']],
      ],
    )
    assert.deepEqual(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.[0]?.podAffinityTerm.labelSelector, {
      matchLabels: { [own('hosted-control-plane')]: 'clusters-prod' },
    })
    assert.equal(affinity?.podAntiAffinity, undefined)
  })

  it('3.4 keep away from their like when there are several: zones must differ, or should where there may be one', () => {
    const topologies = (platform: string) => {
      const away = podsOf('kube-apiserver', aControlPlaneOn(platform), {}, true).spec.affinity?.podAntiAffinity
      return [
        away?.requiredDuringSchedulingIgnoredDuringExecution?.map(({ topologyKey }) => topologyKey),
        away?.preferredDuringSchedulingIgnoredDuringExecution?.map(({ podAffinityTerm }) => podAffinityTerm.topologyKey),
      ]
    }
    assert.deepEqual(topologies('AWS'), [['topology.kubernetes.io/zone', 'kubernetes.io/hostname'], undefined])
    assert.deepEqual(topologies('KubeVirt'), [['kubernetes.io/hostname'], ['topology.kubernetes.io/zone']])
  })

  it('1.9 that answer requests have nodes of their own in a dedicated topology', () => {
    const hcp = aControlPlaneOn('AWS', {
      annotations: {
        [own('topology')]: 'dedicated-request-serving-components',
        [own('request-serving-node-additional-selector')]: 'size=large',
      },
    })
    const nodes = (name: string) => podsOf(name, hcp).spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    assert.equal(nodes('kube-scheduler'), undefined)
    assert.deepEqual(nodes('kube-apiserver')?.nodeSelectorTerms, [
      {
        matchExpressions: [
          { key: own('request-serving-component'), operator: 'In', values: ['true'] },
          { key: own('cluster'), operator: 'In', values: ['clusters-prod'] },
          { key: 'size', operator: 'In', values: ['large'] },
        ],
      },
    ])
    assert.equal(podsOf('kube-apiserver', hcp).spec.tolerations?.[2]?.key, own('request-serving-component'))
  })
})

describe('the hash of the configuration', () => {
  const hashOf = (
    name: string,
    secrets: Readonly<Record<string, string>>,
    configMaps: Readonly<Record<string, string>> = {},
    hcp?: HostedControlPlane,
  ) =>
    podsOf(name, hcp, {
      facts: { ...noFacts, secrets: new Map(Object.entries(secrets)), configMaps: new Map(Object.entries(configMaps)) },
    }).metadata?.annotations?.[configHash]

  it('1.9 changes with what is mounted, and with nothing else', () => {
    const before = hashOf('openshift-apiserver', { 'pull-secret': 'a' }, { 'etcd-ca': 'a' })
    assert.equal(hashOf('openshift-apiserver', { 'pull-secret': 'a', other: 'x' }, { 'etcd-ca': 'a', other: 'x' }), before)
    assert.notEqual(hashOf('openshift-apiserver', { 'pull-secret': 'b' }, { 'etcd-ca': 'a' }), before)
    assert.notEqual(hashOf('openshift-apiserver', { 'pull-secret': 'a' }, { 'etcd-ca': 'b' }), before)
    assert.notEqual(hashOf('openshift-apiserver', {}, { 'etcd-ca': 'a' }), before)
  })

  it('1.9 does not change with client-ca', () => {
    assert.equal(hashOf('openshift-apiserver', {}, { 'client-ca': 'a' }), hashOf('openshift-apiserver', {}, { 'client-ca': 'b' }))
  })

  it('changes with the settings that this pass writes, not with those of the last', () => {
    const changed = aControlPlaneOn('None', { configuration: { scheduler: { profile: 'HighNodeUtilization' } } })
    assert.notEqual(hashOf('kube-scheduler', {}, {}, changed), hashOf('kube-scheduler', {}))
    assert.equal(hashOf('kube-scheduler', {}, { 'kube-scheduler': 'a' }), hashOf('kube-scheduler', {}, { 'kube-scheduler': 'b' }))
    assert.equal(hashOf('kube-controller-manager', {}, {}, changed), hashOf('kube-controller-manager', {}))
  })
})
