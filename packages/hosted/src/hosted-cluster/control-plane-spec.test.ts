import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { aNodePool, aReleaseImage } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { controlPlaneAnnotations, controlPlaneLabels } from './control-plane-metadata.ts'
import { controlPlaneSpec } from './control-plane-spec.ts'
import { aCompleteCluster, annotated } from './testing/index.ts'
import { mirroredAnnotations } from './wire.ts'

type Spec = HostedCluster['spec']
const specOf = (spec: Partial<Spec>, live?: Partial<HostedControlPlane['spec']>) =>
  controlPlaneSpec(aCompleteCluster({ spec }), live as HostedControlPlane['spec'] | undefined)

describe('the spec of a control plane', () => {
  it('L03 says None for Agent machines, and keeps what is known of them', () => {
    const { platform } = specOf({ platform: { type: 'Agent', agent: { agentNamespace: 'agents' } } })
    assert.deepEqual(platform, { type: 'None', agent: { agentNamespace: 'agents' } })
  })

  it('names releases by their images, and drops one that is gone', () => {
    const both = specOf({ controlPlaneRelease: { image: aReleaseImage('4.20.1') } })
    assert.equal(both.releaseImage, aReleaseImage('4.19.6'))
    assert.equal(both.controlPlaneReleaseImage, aReleaseImage('4.20.1'))
    assert.equal('controlPlaneReleaseImage' in specOf({}, both), false)
  })

  it('refers to copies instead of sources', () => {
    const spec = specOf({ sshKey: { name: 'mine' }, additionalTrustBundle: { name: 'mine' }, pullSecret: { name: 'mine' } })
    assert.deepEqual(
      [spec.pullSecret, spec.sshKey, spec.additionalTrustBundle],
      [{ name: 'pull-secret' }, { name: 'ssh-key' }, { name: 'user-ca-bundle' }],
    )
  })

  it('refers to no SSH key where there is none, in the form in which the server keeps that', () => {
    const { sshKey: _, ...spec } = aCompleteCluster().spec
    const cluster = { ...aCompleteCluster(), spec }
    assert.deepEqual(controlPlaneSpec(cluster, undefined).sshKey, {})
    const stored = { ...controlPlaneSpec(cluster, undefined), sshKey: { name: '' } }
    assert.equal(controlPlaneSpec(cluster, stored), stored)
    assert.equal(
      'additionalTrustBundle' in controlPlaneSpec(cluster, { ...stored, additionalTrustBundle: { name: 'user-ca-bundle' } }),
      false,
    )
  })

  it('keeps webhook and encryption when the cluster does not say anything about them', () => {
    const live = specOf({ auditWebhook: { name: 'audit' }, secretEncryption: { type: 'kms', kms: { provider: 'AWS' } } })
    const { secretEncryption: _, ...spec } = aCompleteCluster().spec
    const after = controlPlaneSpec({ ...aCompleteCluster(), spec }, live)
    assert.deepEqual(after.auditWebhook, { name: 'audit' })
    assert.deepEqual(after.secretEncryption, { type: 'kms', kms: { provider: 'AWS' } })
  })

  it('has one member of etcd', () => {
    const unmanaged = { endpoint: 'https://etcd', tls: { clientSecret: { name: 'tls' } } }
    const both = { managementType: 'Unmanaged', managed: { storage: { type: 'PersistentVolume' } }, unmanaged } as const
    assert.deepEqual(specOf({ etcd: both }).etcd, { managementType: 'Unmanaged', unmanaged })
  })

  it('turns the old annotation into a mode, unless there is one', () => {
    const asked = aCompleteCluster({
      ...annotated({ 'hypershift.openshift.io/enable-metrics-forwarding': '' }),
      spec: { monitoring: { metricsSet: 'SRE' } },
    })
    assert.deepEqual(controlPlaneSpec(asked, undefined).monitoring, { metricsSet: 'SRE', metricsForwarding: { mode: 'Forward' } })
    const none = { ...asked, spec: { ...asked.spec, monitoring: { metricsForwarding: { mode: 'None' } } } } as const
    assert.deepEqual(controlPlaneSpec(none, undefined).monitoring, { metricsForwarding: { mode: 'None' } })
  })

  it('copies the rest, and drops what the cluster does not have any more', () => {
    const told = {
      nodeSelector: { a: 'b' },
      labels: { c: 'd' },
      channel: 'stable-4.19',
      pausedUntil: 'false',
      fips: true,
      configuration: { oauth: {} },
    }
    const spec = specOf(told)
    assert.deepEqual({ ...spec, ...told }, spec)
    const after = specOf({}, spec)
    for (const field of Object.keys(told)) assert.equal(field in after, false, field)
  })

  it('W8 leaves fields alone that we do not know, whatever they are', () => {
    const unknown = fc.dictionary(
      fc.string({ minLength: 1 }).map((name) => `new${name}`),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(unknown, (fields) => {
        const after = specOf({ nodeSelector: { a: 'b' } }, { ...specOf({}), ...fields })
        assert.deepEqual({ ...after, ...fields }, after)
      }),
      { seed: 1 },
    )
  })

  it('W9 is the same object when nothing changes', () => {
    const live = specOf({ nodeSelector: { a: 'b' } })
    assert.equal(specOf({ nodeSelector: { a: 'b' } }, live), live)
  })
})

describe('annotations of a control plane', () => {
  const annotationsOf = (source: Record<string, string>, live: Record<string, string> = {}, pools = [aNodePool()]) =>
    controlPlaneAnnotations(aCompleteCluster(annotated(source)), live, pools)
  const own = (name: string): string => `hypershift.openshift.io/${name}`

  it('follow the cluster, one and all that are mirrored', () => {
    const source = Object.fromEntries(mirroredAnnotations.map((key) => [key, 'value']))
    const after = annotationsOf(source)
    for (const key of mirroredAnnotations) assert.equal(after[key], 'value', key)
    for (const key of mirroredAnnotations) assert.equal(key in annotationsOf({}, after), false, key)
  })

  it('follow it by prefix too', () => {
    const key = 'resource-request-override.hypershift.openshift.io/kube-apiserver.kube-apiserver'
    const idp = 'idpoverrides.hypershift.openshift.io/github'
    assert.equal(annotationsOf({ [key]: 'cpu=1' })[key], 'cpu=1')
    assert.equal(annotationsOf({ [idp]: '{}' })[idp], '{}')
    const provider = own('capi-provider-kubevirt-image')
    assert.equal(annotationsOf({ [provider]: 'example.com/provider:1' })[provider], 'example.com/provider:1')
    assert.equal(key in annotationsOf({}, { [key]: 'cpu=1' }), false)
  })

  it('are not taken from the cluster where they are not mirrored, and stay', () => {
    const monitoring = own('disable-monitoring-services')
    assert.equal(monitoring in annotationsOf({ [monitoring]: '' }), false)
    assert.equal(annotationsOf({}, { [monitoring]: '' })[monitoring], '')
    assert.equal(annotationsOf({ mine: 'a' }, { theirs: 'b' })['theirs'], 'b')
  })

  it('pass a restart on once', () => {
    const [date, previous] = [own('restart-date'), own('previous-restart-date')]
    assert.deepEqual(
      [annotationsOf({ [date]: '1' })].map((after) => [after[date], after[previous]]),
      [['1', '1']],
    )
    // A new certificate has asked for another one meanwhile.
    assert.equal(annotationsOf({ [date]: '1' }, { [date]: '2', [previous]: '1' })[date], '2')
    assert.equal(annotationsOf({}, { [date]: '2' })[date], '2')
  })

  it('switch off what no node pool needs', () => {
    const [autoscaler, handler] = [own('disable-cluster-autoscaler'), own('disable-aws-node-termination-handler')]
    const scaling = aNodePool({ spec: { autoScaling: { min: 1, max: 3 } } })
    const spot = aNodePool({
      spec: {
        platform: {
          type: 'AWS',
          aws: { instanceType: 'm5.large', instanceProfile: 'p', subnet: { id: 's' }, placement: { marketType: 'Spot' } },
        },
      },
    })
    assert.deepEqual(
      [[], [scaling], [spot]]
        .map((pools) => annotationsOf({}, { [autoscaler]: 'true', [handler]: 'true' }, pools))
        .map((after) => [after[autoscaler], after[handler]]),
      [
        ['true', 'true'],
        [undefined, 'true'],
        ['true', undefined],
      ],
    )
  })

  it('are labels of the managing service alike, and no others', () => {
    const cluster = aCompleteCluster({ metadata: { labels: { 'api.openshift.com/id': '1', mine: 'a' } } })
    assert.deepEqual(controlPlaneLabels(cluster, { 'api.openshift.com/old': 'x', theirs: 'b' }), {
      theirs: 'b',
      'api.openshift.com/id': '1',
    })
  })
})
