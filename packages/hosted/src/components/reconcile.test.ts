import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KubernetesObject } from '@windlass/api'
import {
  aCondition,
  aControlPlaneComponent,
  aDeployment,
  aHostedControlPlane,
  aRole,
  aService,
  aServiceAccount,
} from '@windlass/api/fixtures'
import { decideComponent } from './reconcile.ts'
import { registryOf } from './registry-of.ts'
import { registry, etcdShard } from './registry.ts'
import { deployment, tombstone } from './rows.ts'
import { aControlPlaneOn, annotated, anObservation, concluded, decide, decideApplied, describeAction, doneAt } from './testing/index.ts'

const version = '4.18.0'
const kas = (at = version) => doneAt(at, 'kube-apiserver')
const stepOf = (name: string, observed = anObservation({ version })) => decide(name, observed).step

describe('a component', () => {
  it('C01 without dependencies of its own waits for kube-apiserver, and only its status is written', () => {
    const observed = anObservation({ hcp: aHostedControlPlane({ metadata: { generation: 3 } }) })
    const plan = decide('kube-scheduler', observed)
    assert.equal(plan.step, 'wait')
    const after = concluded(plan, {}, observed)
    assert.deepEqual(after.actions, ['create ControlPlaneComponent kube-scheduler', 'status ControlPlaneComponent kube-scheduler'])
    assert.equal(after.rolledOut, 'False WaitingForDependencies')
    assert.equal(after.message, 'Waiting for Dependencies: kube-apiserver')
    assert.equal(after.available, 'False NotFound')
    assert.equal(after.status?.observedGeneration, 3)
    assert.deepEqual(after.status.resources?.[0], { kind: 'ServiceAccount', group: '', name: 'kube-scheduler' })
    assert.equal(after.error, undefined)
  })

  it('C02 waits while kube-apiserver runs another version', () => {
    assert.equal(stepOf('kube-controller-manager', anObservation({ version, components: kas('4.17.0') })), 'wait')
  })

  it('C03 is applied when kube-apiserver has rolled out this version', () => {
    const plan = decideApplied('kube-controller-manager', anObservation({ version, components: kas() }))
    assert.deepEqual(plan.manifests.map(describeAction), [
      'create ServiceAccount kube-controller-manager',
      'create ConfigMap kcm-config',
      'create Service kube-controller-manager',
    ])
    assert.equal(plan.workload?.do, 'create')
  })

  it('C04 waits for a dependency that is not available', () => {
    const conditions = [aCondition('Available', 'False'), aCondition('RolloutComplete', 'True')]
    const components = [aControlPlaneComponent({ status: { version, conditions } })]
    assert.equal(stepOf('kube-controller-manager', anObservation({ version, components })), 'wait')
  })

  it('C05 that is etcd is applied at once', () => {
    assert.equal(stepOf('etcd'), 'apply')
    assert.equal(decideComponent(etcdShard('events'), anObservation()).step, 'apply')
  })

  it('C10 the router does not wait for an ignition server that is disabled', () => {
    const route = {
      services: [{ service: 'APIServer', servicePublishingStrategy: { type: 'Route', route: { hostname: 'api.example.com' } } }],
    }
    assert.equal(stepOf('router', anObservation({ hcp: aControlPlaneOn('None', route) })), 'wait')
    const disabled = aControlPlaneOn('None', { ...route, ...annotated('disable-ignition-server') })
    assert.equal(stepOf('router', anObservation({ hcp: disabled })), 'apply')
  })

  it('C11 says in order what it waits for', () => {
    const rows = [
      ...['z', 'a'].map((name) => deployment(name, [], () => true, { isExempt: true })),
      deployment('x', ['z', 'a'], () => true, { isExempt: true }),
    ]
    const observed = anObservation({ registry: registryOf(rows) })
    const plan = decideComponent(rows[2] ?? assert.fail(), observed)
    assert.equal(concluded(plan, {}, observed).message, 'Waiting for Dependencies: a, z')
  })

  it('C16 that cannot be applied says so on its status, and the pass fails', () => {
    const observed = anObservation({ components: kas('4.19.6') })
    const plan = decide('kube-scheduler', observed)
    const after = concluded(plan, { error: new Error('failed to reconcile') }, observed)
    assert.equal(after.rolledOut, 'False ReconciliationError')
    assert.equal(after.message, 'failed to reconcile')
    assert.deepEqual(after.actions, ['create ControlPlaneComponent kube-scheduler', 'status ControlPlaneComponent kube-scheduler'])
    assert.equal(after.error?.message, 'failed to reconcile')
  })

  it('C16 whose manifests cannot even be made says so too', () => {
    const blank = deployment('blank', [], () => true, { isExempt: true, images: '' })
    const observed = anObservation({ registry: registryOf([blank]) })
    const plan = decideComponent(blank, observed)
    const after = concluded(plan, {}, observed)
    assert.equal(after.rolledOut, 'False ReconciliationError')
    assert.match(after.message ?? '', /container blank has no image/)
    assert.equal(after.available, 'False NotFound')
    assert.match(after.error?.message ?? '', /container blank has no image/)
  })

  it('C19 of which it cannot be told whether it runs is left as it is', () => {
    const unsure = deployment('unsure', [], () => {
      throw new Error('the cloud does not answer')
    })
    const observed = anObservation({ registry: registryOf([...registry.components, unsure]), components: doneAt('4.19.6', 'unsure') })
    const plan = decideComponent(unsure, observed)
    assert.equal(plan.step, 'fail')
    const after = concluded(plan, {}, observed)
    assert.deepEqual(after.actions, [])
    assert.equal(after.error?.message, 'the cloud does not answer')
  })

  it('3.1 whose dependencies cannot be listed is left as it is', () => {
    const observed = anObservation({ components: new Error('no route to host') })
    const after = concluded(decide('kube-scheduler', observed), {}, observed)
    assert.deepEqual(after.actions, [])
    assert.equal(after.error?.message, 'failed checking for dependencies availability: no route to host')
    assert.equal(stepOf('etcd', observed), 'apply')
  })
})

describe('a component that does not run here', () => {
  const disabled = aControlPlaneOn('KubeVirt', annotated('disable-ignition-server'))
  const name = 'ignition-server'
  const made: readonly KubernetesObject[] = [aDeployment({ name }), aServiceAccount({ name }), aRole({ name }), aService({ name })]

  it('C18 goes with all that belongs to it, its ControlPlaneComponent last', () => {
    const plan = decide(name, anObservation({ hcp: disabled, objects: made, components: doneAt('4.19.6', name) }))
    assert.ok(plan.step === 'remove')
    assert.deepEqual(
      plan.actions.map(describeAction),
      ['Deployment', 'ServiceAccount', 'Role', 'Service', 'ControlPlaneComponent'].map((kind) => `delete ${kind} ${name}`),
    )
  })

  it('C18 is nothing to do when it never was there', () => {
    const plan = decide(name, anObservation({ hcp: disabled }))
    assert.ok(plan.step === 'remove')
    assert.deepEqual(plan.actions, [])
  })

  it('3.1 skips kinds that the API server does not know', () => {
    const plan = decide(name, anObservation({ hcp: disabled, objects: made, unserved: ['Role'] }))
    assert.ok(plan.step === 'remove')
    assert.equal(plan.actions.map(describeAction).includes('delete Role ignition-server'), false)
  })

  it('3.1 leaves to the others what it shares with them', () => {
    const unmanaged = aControlPlaneOn('None', { etcd: { managementType: 'Unmanaged' } })
    const objects = [aServiceAccount({ name: 'etcd' }), aService({ name: 'etcd-events-client' })]
    const plan = decideComponent(etcdShard('events'), anObservation({ hcp: unmanaged, objects }))
    assert.ok(plan.step === 'remove')
    assert.deepEqual(plan.actions.map(describeAction), ['delete Service etcd-events-client'])
  })

  it('2.7 because no build has it any more leaves nothing behind', () => {
    const plan = decideComponent(
      tombstone('redhat-marketplace-catalog'),
      anObservation({
        objects: [aDeployment({ name: 'redhat-marketplace-catalog' })],
        components: doneAt('4.18.0', 'redhat-marketplace-catalog'),
      }),
    )
    assert.ok(plan.step === 'remove')
    assert.deepEqual(plan.actions.map(describeAction), [
      'delete Deployment redhat-marketplace-catalog',
      'delete ControlPlaneComponent redhat-marketplace-catalog',
    ])
  })
})
