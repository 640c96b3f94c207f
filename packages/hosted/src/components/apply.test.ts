import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Deployment, ServiceAccount, StatefulSet } from '@windlass/api'
import { aDeployment, aJob, aService, aServiceAccount, aStatefulSet } from '@windlass/api/fixtures'
import { decideApply } from './apply.ts'
import type { ManifestObject } from './manifest.ts'
import { hashOf } from './hash.ts'

const hashAnnotation = 'hypershift.openshift.io/desired-state-hash'
const owner = { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedControlPlane', name: 'prod', uid: 'ours', controller: true }

const desired: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x', namespace: 'clusters-prod', labels: { ours: '1' }, ownerReferences: [owner] },
  spec: {
    replicas: 2,
    selector: { matchLabels: { component: 'x' } },
    template: {
      metadata: { labels: { component: 'x' } },
      spec: { containers: [{ name: 'x', image: 'a' }], nodeSelector: { disk: 'fast' } },
    },
  },
}

/** An object as it comes back: with what the server has added to it. */
function livingFrom<T extends ManifestObject>(object: T, hash = hashOf(object)): T {
  const { metadata } = object
  return {
    ...object,
    metadata: {
      ...metadata,
      uid: 'u',
      resourceVersion: '7',
      generation: 1,
      annotations: { ...metadata.annotations, [hashAnnotation]: hash },
    },
  }
}

const live: Deployment = livingFrom({ ...desired, spec: { ...desired.spec, progressDeadlineSeconds: 600 } }, hashOf(desired))

const patchOf = (decision: ReturnType<typeof decideApply>) => (decision.do === 'update' ? decision.patch : assert.fail(decision.do))
const becauseOf = (decision: ReturnType<typeof decideApply>) => ('because' in decision ? decision.because : assert.fail(decision.do))

describe('an object', () => {
  it('3.3 that is missing is created, with the hash of its desired state', () => {
    const decision = decideApply(desired, undefined)
    assert.ok(decision.do === 'create')
    assert.equal(decision.object.metadata.annotations?.[hashAnnotation], hashOf(desired))
  })

  it('W9 that is as desired is left alone, whatever the server has added', () => {
    assert.deepEqual(decideApply(desired, live), { do: 'leave', live })
  })

  it('3.3 that lacks a desired value gets it back, and nothing else', () => {
    const decision = decideApply(desired, { ...live, spec: { ...live.spec, replicas: 7 } })
    assert.deepEqual(patchOf(decision), { spec: { replicas: 2 } })
    assert.equal(becauseOf(decision), 'it is not as it was left')
  })

  it('3.3 that lost one of our labels gets it back', () => {
    const decision = decideApply(desired, { ...live, metadata: { ...live.metadata, labels: {} } })
    assert.deepEqual(patchOf(decision), { metadata: { labels: { ours: '1' } } })
  })

  it('3.3 whose desired state has changed loses what is no longer desired: the hash tells', () => {
    const { nodeSelector: _, ...pods } = desired.spec.template.spec
    const next = { ...desired, spec: { ...desired.spec, template: { ...desired.spec.template, spec: pods } } }
    const decision = decideApply(next, live)
    assert.deepEqual(patchOf(decision), {
      metadata: { annotations: { [hashAnnotation]: hashOf(next) } },
      spec: { progressDeadlineSeconds: null, template: { spec: { nodeSelector: null } } },
    })
    assert.equal(becauseOf(decision), 'its desired state has changed')
  })

  it('3.3 that somebody else made before us is taken over', () => {
    const { [hashAnnotation]: _, ...annotations } = live.metadata.annotations ?? {}
    const foreign = { ...live, metadata: { ...live.metadata, annotations } }
    assert.equal(decideApply(desired, foreign).do, 'update')
  })

  it('3.3 keeps labels, annotations, finalizers and owners of others', () => {
    const metadata = {
      ...live.metadata,
      labels: { ...live.metadata.labels, theirs: '1' },
      annotations: { ...live.metadata.annotations, theirs: '1', [hashAnnotation]: 'old' },
      finalizers: ['theirs'],
      ownerReferences: [{ ...owner, uid: 'theirs', controller: false }, owner],
    }
    const patch = patchOf(decideApply(desired, { ...live, metadata }))
    assert.deepEqual(patch['metadata'], { annotations: { [hashAnnotation]: hashOf(desired) } })
  })

  it('3.3 that has a label which must not be there loses it', () => {
    const labelled = { ...live, metadata: { ...live.metadata, labels: { ...live.metadata.labels, route: 'x' } } }
    assert.equal(decideApply(desired, labelled).do, 'leave')
    const decision = decideApply(desired, labelled, ['route'])
    assert.equal(becauseOf(decision), 'it must not have the label route')
    assert.deepEqual(patchOf(decision)['metadata'], { labels: { route: null } })
  })

  it('that is on its way out is waited for, whatever it is like', () => {
    const leaving = {
      ...live,
      metadata: { ...live.metadata, deletionTimestamp: '2026-03-06T12:00:00Z' },
      spec: { ...live.spec, replicas: 7 },
    }
    assert.deepEqual(decideApply(desired, leaving), { do: 'await', live: leaving })
  })

  it('W8 keeps fields that we do not know while its desired state does not change', () => {
    const ofTomorrow = { fieldOfTomorrow: 1 }
    const newer: Deployment = { ...live, spec: { ...live.spec, ...ofTomorrow } }
    assert.equal(decideApply(desired, newer).do, 'leave')
    assert.deepEqual(patchOf(decideApply(desired, { ...newer, spec: { ...newer.spec, replicas: 7 } })), { spec: { replicas: 2 } })
  })
})

describe('what cannot be changed', () => {
  it('3.3 is the selector of a Deployment; its pods keep the labels that it wants', () => {
    const selector = { matchLabels: { app: 'from-before' } }
    const decision = decideApply(desired, livingFrom({ ...desired, spec: { ...desired.spec, selector } }, 'old'))
    const patch = patchOf(decision) as { readonly spec?: object }
    assert.deepEqual(patch.spec, { template: { metadata: { labels: { app: 'from-before' } } } })
  })

  it('is the identity of a StatefulSet', () => {
    const before = livingFrom(aStatefulSet(), 'old')
    const next: StatefulSet = { ...before, spec: { ...before.spec, serviceName: 'other', volumeClaimTemplates: [], selector: {} } }
    assert.deepEqual(patchOf(decideApply(next, before)), { metadata: { annotations: { [hashAnnotation]: hashOf(next) } } })
  })

  it('are the addresses of a Service', () => {
    const { status: _, ...service } = aService({ spec: { type: 'ClusterIP', ports: [] } })
    const before = livingFrom({ ...service, spec: { ...service.spec, clusterIP: '10.0.0.1' } }, 'old')
    assert.deepEqual(patchOf(decideApply(service, before)), { metadata: { annotations: { [hashAnnotation]: hashOf(service) } } })
  })
})

it('3.3 a ServiceAccount keeps the pull secrets that it was given', () => {
  const wanted: ServiceAccount = aServiceAccount()
  const filled = { ...livingFrom(wanted), imagePullSecrets: [{ name: 'x-dockercfg' }, { name: 'pull-secret' }], secrets: [{ name: 'x' }] }
  assert.equal(decideApply(wanted, filled).do, 'leave')
  const robbed = { ...filled, imagePullSecrets: [{ name: 'x-dockercfg' }] }
  assert.deepEqual(patchOf(decideApply(wanted, robbed)), { imagePullSecrets: [{ name: 'x-dockercfg' }, { name: 'pull-secret' }] })
})

describe('a Job', () => {
  const { status: _, ...wanted } = aJob()

  it('3.3 that was made from this spec is left alone', () => {
    const job = { ...aJob(), spec: { ...aJob().spec, parallelism: 1 } }
    assert.deepEqual(decideApply(wanted, job), { do: 'leave', live: job })
  })

  it('C22 that failed is deleted, to be made anew', () => {
    const job = aJob({ status: { conditions: [{ type: 'Failed', status: 'True' }] } })
    assert.deepEqual(decideApply(wanted, job), { do: 'delete', live: job, because: 'it failed' })
  })

  it('3.3 that was made from another spec is deleted, to be made anew', () => {
    const job = aJob({ spec: { template: { spec: { containers: [{ name: 'featuregate-generator', image: 'older' }] } } } })
    assert.deepEqual(decideApply(wanted, job), { do: 'delete', live: job, because: 'it was made from another spec' })
  })

  it('3.3 that is going already is waited for, to be made anew', () => {
    const job = aJob({ metadata: { deletionTimestamp: '2026-03-06T12:00:00Z' } })
    assert.deepEqual(decideApply(wanted, job), { do: 'await', live: job })
  })
})

it('deployments of the fixtures are left alone once they carry the hash', () => {
  const { status: _, ...wanted } = aDeployment()
  assert.equal(decideApply(wanted, livingFrom(wanted)).do, 'leave')
})
