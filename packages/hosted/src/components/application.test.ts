import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KubernetesObject } from '@windlass/api'
import {
  aCondition,
  aConfigMap,
  aControlPlaneComponent,
  aDeployment,
  aHostedControlPlane,
  aJob,
  aSecret,
  aService,
} from '@windlass/api/fixtures'
import { ownerReferenceTo } from './control-plane.ts'
import {
  aControlPlaneOn,
  annotated,
  anObservation,
  concluded,
  created,
  decide,
  decideApplied,
  describeAction,
  doneAt,
  noFacts,
  withSecrets,
} from './testing/index.ts'

describe('a manifest that is not wanted', () => {
  const hcp = aControlPlaneOn('KubeVirt', annotated('disable-monitoring-services'))
  const name = 'openshift-controller-manager'
  const components = doneAt('4.19.6', 'kube-apiserver', 'openshift-apiserver')
  const plan = (service: KubernetesObject) => decideApplied(name, anObservation({ hcp, components, objects: [service] }))

  it('C20 is kept when it is not ours, and is no resource of the component', () => {
    const { manifests, resources } = plan(aService({ name }))
    assert.equal(manifests.map(describeAction).includes(`delete Service ${name}`), false)
    assert.deepEqual(
      resources.map(({ kind }) => kind),
      ['ServiceAccount', 'ConfigMap'],
    )
  })

  it('3.3 is deleted when it is ours', () => {
    const service = aService({ name, metadata: { ownerReferences: [ownerReferenceTo(hcp)] } })
    assert.ok(plan(service).manifests.map(describeAction).includes(`delete Service ${name}`))
  })
})

describe('a monitor', () => {
  const components = doneAt('4.19.6', 'kube-apiserver')
  const available = aHostedControlPlane({
    status: { ready: true, initialized: true, conditions: [aCondition('ClusterVersionAvailable', 'True')] },
  })
  const kinds = (options: Parameters<typeof anObservation>[0]) =>
    decideApplied('kube-scheduler', anObservation({ components, ...options })).resources.map(({ kind }) => kind)

  it('3.3 is not made before the guest has been installed', () => {
    assert.equal(kinds({}).includes('ServiceMonitor'), false)
    assert.equal(kinds({ hcp: available }).includes('ServiceMonitor'), true)
  })

  it('3.3 stays when the guest becomes unavailable', () => {
    const { manifests } = decideApplied('kube-scheduler', anObservation({ hcp: available, components }))
    const monitor = created(manifests).filter(({ kind }) => kind === 'ServiceMonitor')
    assert.equal(monitor.length, 1)
    assert.equal(kinds({ objects: monitor }).includes('ServiceMonitor'), true)
  })

  it('is no reason to fail where nobody knows the kind', () => {
    assert.equal(kinds({ hcp: available, unserved: ['ServiceMonitor'] }).includes('ServiceMonitor'), false)
  })
})

describe('a kubeconfig for an account of the guest', () => {
  const components = doneAt('4.19.6', 'kube-apiserver', 'openshift-apiserver')
  const secret = 'dns-operator-service-account-kubeconfig'
  const plan = (options: Parameters<typeof anObservation>[0]) => decideApplied('dns-operator', anObservation({ components, ...options }))

  it('3.5 is asked for once, and is a resource of the component', () => {
    const first = plan({})
    assert.deepEqual(first.kubeconfigs, [{ secret, namespace: 'openshift-dns-operator', name: 'dns-operator' }])
    assert.deepEqual(first.resources.at(-1), { kind: 'Secret', group: '', name: secret })
    assert.deepEqual(plan({ facts: withSecrets(secret) }).kubeconfigs, [])
  })

  it('3.5 is not ours to make when PKI is disabled', () => {
    const { kubeconfigs, resources } = plan({ hcp: aControlPlaneOn('KubeVirt', annotated('disable-pki-reconciliation')) })
    assert.deepEqual(kubeconfigs, [])
    assert.equal(
      resources.some(({ kind }) => kind === 'Secret'),
      false,
    )
  })

  it('goes with the component', () => {
    const plan = decide(
      'cloud-credential-operator',
      anObservation({ objects: [aSecret({ name: 'cloud-credential-operator-service-account-kubeconfig' })] }),
    )
    assert.ok(plan.step === 'remove')
    assert.deepEqual(plan.actions.map(describeAction), ['delete Secret cloud-credential-operator-service-account-kubeconfig'])
  })
})

describe('a Job', () => {
  const failed = aJob({ status: { conditions: [{ type: 'Failed', status: 'True' }] } })

  it('C22 that failed is told of before anything is done about it', () => {
    const observed = anObservation({ objects: [failed] })
    const plan = decideApplied('featuregate-generator', observed)
    assert.deepEqual(plan.workload, { do: 'leave', live: failed })
    const after = concluded(plan, {}, observed)
    assert.deepEqual([after.available, after.rolledOut, after.message], ['False JobFailed', 'False JobFailed', 'Job failed'])
  })

  it('C22 that failed is told of with the reason that it has', () => {
    const reason = { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
    const observed = anObservation({ objects: [aJob({ status: { conditions: [{ type: 'Failed', status: 'True', ...reason }] } })] })
    const after = concluded(decideApplied('featuregate-generator', observed), {}, observed)
    assert.deepEqual([after.rolledOut, after.message], ['False BackoffLimitExceeded', reason.message])
  })

  it('C22 that failed and was told of is deleted and counts as not found until it is made anew', () => {
    const first = anObservation({ objects: [failed] })
    const { status } = concluded(decideApplied('featuregate-generator', first), {}, first)
    assert.ok(status)
    const observed = anObservation({ objects: [failed], components: [aControlPlaneComponent({ name: 'featuregate-generator', status })] })
    const plan = decideApplied('featuregate-generator', observed)
    assert.ok(plan.workload?.do === 'delete')
    assert.deepEqual(plan.workload.actions.map(describeAction), ['delete Job featuregate-generator'])
    assert.deepEqual(
      plan.workload.actions.map((action) => action.do === 'delete' && action.propagation),
      ['Foreground'],
    )
    const after = concluded(plan, {}, observed)
    assert.deepEqual([after.available, after.rolledOut], ['False NotFound', 'False NotFound'])
    assert.equal(after.message, 'Job featuregate-generator was deleted because it failed; the next pass makes it anew')
  })

  it('3.6 of the last release does not count as done for this one while it goes', () => {
    const going = aJob({ metadata: { deletionTimestamp: '2026-03-06T12:00:00Z' } })
    const observed = anObservation({ version: '4.20.0', objects: [going], components: doneAt('4.19.6', 'featuregate-generator') })
    const plan = decideApplied('featuregate-generator', observed)
    assert.deepEqual(plan.workload, { do: 'await' })
    const after = concluded(plan, {}, observed)
    assert.equal(after.rolledOut, 'False NotFound')
    assert.equal(after.message, 'Job featuregate-generator is being deleted; it is made anew once it is gone')
    assert.equal(after.status?.version, '4.19.6')
  })
})

describe('the status', () => {
  const components = doneAt('4.19.6', 'kube-apiserver')

  /** A namespace in which kube-scheduler has been applied. */
  function applied(status = aDeployment({ spec: { replicas: 2, selector: {}, template: { spec: { containers: [] } } } }).status) {
    const plan = decideApplied('kube-scheduler', anObservation({ components }))
    assert.ok(plan.workload?.do === 'create')
    const counts = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 }
    const workloads = created(plan.workload.actions).map((object) => ({ ...object, status: { ...status, ...counts } }))
    return [...created(plan.manifests), ...workloads]
  }

  it('C28 is judged by the workload that was returned, not by the one that was read', () => {
    const objects = applied()
    const observed = anObservation({ version: '4.20.0', components: doneAt('4.20.0', 'kube-apiserver'), objects })
    const plan = decideApplied('kube-scheduler', observed)
    assert.equal(plan.workload?.do, 'update')
    const cached = objects.find(({ kind }) => kind === 'Deployment') as ReturnType<typeof aDeployment>
    const returned = { ...cached, metadata: { ...cached.metadata, generation: 9 }, status: { ...cached.status, observedGeneration: 8 } }
    assert.equal(concluded(plan, { workload: returned }, observed).rolledOut, 'False WaitingForRolloutComplete')
  })

  it('C28 is unknown when nobody has read back what was written', () => {
    const observed = anObservation({ version: '4.20.0', components: doneAt('4.20.0', 'kube-apiserver'), objects: applied() })
    assert.equal(concluded(decide('kube-scheduler', observed), {}, observed).rolledOut, 'False Unknown')
  })

  it('3.6 is that of the last release while the workload of that release goes, however ready it is', () => {
    const objects = applied().map((object) => ({ ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-03-06T12:00:00Z' } }))
    const observed = anObservation({ version: '4.20.0', components: doneAt('4.20.0', 'kube-apiserver'), objects })
    const plan = decideApplied('kube-scheduler', observed)
    assert.deepEqual(plan.workload, { do: 'await' })
    const after = concluded(plan, {}, observed)
    assert.deepEqual([after.available, after.rolledOut, after.status?.version], ['False NotFound', 'False NotFound', undefined])
    assert.equal(after.message, 'Deployment kube-scheduler is being deleted; it is made anew once it is gone')
  })

  it('3.5 is judged by what was observed when nothing had to be written', () => {
    const observed = anObservation({ components, objects: applied() })
    const plan = decideApplied('kube-scheduler', observed)
    assert.equal(plan.workload?.do, 'leave')
    const after = concluded(plan, {}, observed)
    assert.deepEqual([after.available, after.rolledOut, after.status?.version], ['True AsExpected', 'True AsExpected', '4.19.6'])
  })

  it('W9 is not written again when it says the same', () => {
    const objects = applied()
    const first = anObservation({ components, objects })
    const { status } = concluded(decide('kube-scheduler', first), {}, first)
    assert.ok(status)
    const again = anObservation({ components: [...components, aControlPlaneComponent({ name: 'kube-scheduler', status })], objects })
    assert.deepEqual(concluded(decide('kube-scheduler', again), {}, again).actions, [])
  })

  it('W9 is decided without building anything again while nothing has changed', () => {
    const objects = applied()
    const observed = anObservation({ components, objects })
    const first = decide('kube-scheduler', observed)
    assert.equal(decide('kube-scheduler', { ...observed }), first)
    const rotated = { ...observed, facts: { ...noFacts, secrets: new Map([['scheduler-server', 'rotated']]) } }
    assert.equal(decideApplied('kube-scheduler', rotated).workload?.do, 'update')
    const moved = { ...observed, hcp: { ...observed.hcp, spec: { ...observed.hcp.spec, nodeSelector: { disk: 'fast' } } } }
    assert.equal(decideApplied('kube-scheduler', moved).workload?.do, 'update')
    const robbed = anObservation({ components, objects: objects.filter(({ kind }) => kind !== 'ConfigMap') })
    assert.deepEqual(decideApplied('kube-scheduler', robbed).manifests.map(describeAction), ['create ConfigMap kube-scheduler'])
    const changed = anObservation({
      components,
      objects: objects.map((object) => (object.kind === 'ConfigMap' ? { ...object, ...aConfigMap({ name: 'kube-scheduler' }) } : object)),
    })
    assert.deepEqual(decideApplied('kube-scheduler', changed).manifests.map(describeAction), ['patch ConfigMap kube-scheduler'])
  })

  it('W9 is decided without building anything again when only the status of its objects has changed', () => {
    const objects = applied()
    const observed = anObservation({ components, objects })
    const first = decideApplied('kube-scheduler', observed)
    const later = objects.map((object) => ({ ...object, metadata: { ...object.metadata, resourceVersion: '9' }, status: { replicas: 3 } }))
    const live = later.find(({ kind }) => kind === 'Deployment')
    const { namespace } = anObservation({ components, objects: later })
    const again = decideApplied('kube-scheduler', { ...observed, namespace })
    assert.deepEqual(again.workload, { do: 'leave', live })
    assert.equal(again.resources, first.resources, 'it is the plan of before')
  })
})
