import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDeployment } from '@windlass/api/fixtures'
import type { Deployment, HostedControlPlane } from '@windlass/api'
import type { Component } from './component.ts'
import { commonMetadata } from './manifest.ts'
import { etcdShard, registry } from './registry.ts'
import { aControlPlaneOn, annotated, anObservation } from './testing/index.ts'
import { replicasOf, strategyOf, usualReplicasOf, workloadOf } from './workload.ts'

const own = (name: string) => `hypershift.openshift.io/${name}`
const dedicated = { annotations: { [own('topology')]: 'dedicated-request-serving-components' } }

function named(name: string): Component {
  const component = registry.get(name)
  assert.ok(component, name)
  return component
}

function built(name: string, hcp: HostedControlPlane = aControlPlaneOn('KubeVirt')) {
  const component = named(name)
  return workloadOf(component, anObservation({ hcp }), commonMetadata(component, hcp), undefined)
}

function deploymentOf(name: string, hcp?: HostedControlPlane): Deployment {
  const workload = built(name, hcp)
  assert.equal(workload.kind, 'Deployment')
  return workload
}

describe('replicas', () => {
  const single = aControlPlaneOn('None', { controllerAvailabilityPolicy: 'SingleReplica' })
  const highly = aControlPlaneOn('None')

  it('3.4 are one where one is enough', () => {
    for (const { name } of registry.components.filter(({ workload, replicas }) => workload === 'Deployment' && replicas === undefined))
      assert.equal(replicasOf(named(name), single), 1, name)
  })

  it('3.4 are three for what the API depends on, and two for the rest', () => {
    for (const name of [
      'etcd',
      'kube-apiserver',
      'openshift-apiserver',
      'openshift-oauth-apiserver',
      'oauth-openshift',
      'router',
      'packageserver',
    ])
      assert.equal(replicasOf(named(name), highly), 3, name)
    for (const name of ['kube-controller-manager', 'kube-scheduler', 'konnectivity-agent', 'ignition-server', 'metrics-proxy'])
      assert.equal(replicasOf(named(name), highly), 2, name)
    assert.equal(replicasOf(etcdShard('events'), highly), 3)
  })

  it('C30 are two for what answers requests on nodes of its own', () => {
    const hcp = aControlPlaneOn('None', dedicated)
    for (const name of ['kube-apiserver', 'oauth-openshift', 'router', 'ignition-server-proxy', 'metrics-proxy'])
      assert.equal(replicasOf(named(name), hcp), 2, name)
    assert.equal(replicasOf(named('openshift-apiserver'), hcp), 3)
  })

  it('C26 are none while a component is debugged, and that counts as rolled out', () => {
    const hcp = aControlPlaneOn('None', { annotations: { [own('debug-deployments')]: 'kube-scheduler,etcd' } })
    assert.equal(deploymentOf('kube-scheduler', hcp).spec.replicas, 0)
    assert.equal(replicasOf(named('etcd'), hcp), 0)
    assert.equal(replicasOf(named('kube-apiserver'), hcp), 3)
    assert.equal(usualReplicasOf(named('kube-scheduler'), hcp), 2)
  })

  it('3.8 of autoscaler and termination handler are one, or none with nothing to do', () => {
    for (const [name, annotation] of [
      ['cluster-autoscaler', 'disable-cluster-autoscaler'],
      ['aws-node-termination-handler', 'disable-aws-node-termination-handler'],
    ] as const) {
      assert.equal(replicasOf(named(name), highly), 1)
      assert.equal(replicasOf(named(name), aControlPlaneOn('AWS', { annotations: { [own(annotation)]: 'true' } })), 0)
      assert.equal(replicasOf(named(name), aControlPlaneOn('AWS', { annotations: { [own(annotation)]: 'false' } })), 1)
    }
  })
})

it('3.4 a rollout makes room for one more with two replicas, and takes one away first with three', () => {
  const kas = named('kube-apiserver')
  const scheduler = named('kube-scheduler')
  assert.equal(strategyOf(scheduler, 0), undefined)
  assert.equal(strategyOf(scheduler, 1), undefined)
  assert.deepEqual(strategyOf(scheduler, 2)?.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 })
  assert.deepEqual(strategyOf(kas, 2)?.rollingUpdate, { maxSurge: 1, maxUnavailable: 1 })
  assert.deepEqual(strategyOf(kas, 3)?.rollingUpdate, { maxSurge: 0, maxUnavailable: 1 })
})

describe('a workload', () => {
  it('3.4 has the name of its component, our label, and the control plane as its owner', () => {
    const { metadata, spec } = deploymentOf('kube-scheduler')
    assert.equal(metadata.name, 'kube-scheduler')
    assert.equal(metadata.namespace, 'clusters-prod')
    assert.equal(metadata.labels?.[own('managed-by')], 'control-plane-operator')
    assert.deepEqual(
      metadata.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller]),
      [['HostedControlPlane', 'prod', true]],
    )
    assert.equal(spec.revisionHistoryLimit, 2)
  })

  it('3.8 that the controller of HostedClusters runs has no owner, and says whose it is', () => {
    const { metadata } = deploymentOf('cluster-api', aControlPlaneOn('AWS', { annotations: { [own('cluster')]: 'clusters/prod' } }))
    assert.equal(metadata.ownerReferences, undefined)
    assert.equal(metadata.annotations?.[own('cluster')], 'clusters/prod')
  })

  it('3.3 selects its pods by a label that they have', () => {
    const { selector, template } = deploymentOf('router').spec
    assert.deepEqual(selector.matchLabels, { [own('control-plane-component')]: 'router' })
    assert.equal(template.metadata?.labels?.[own('control-plane-component')], 'router')
  })

  it('3.4 keeps what live containers ask for, and puts overrides on top', () => {
    const hcp = aControlPlaneOn('None', {
      annotations: { 'resource-request-override.hypershift.openshift.io/kube-scheduler.kube-scheduler': 'memory=1Gi' },
    })
    const component = named('kube-scheduler')
    const live = aDeployment({
      name: 'kube-scheduler',
      spec: {
        selector: {},
        template: { spec: { containers: [{ name: 'kube-scheduler', resources: { requests: { cpu: '2', memory: '5Mi' } } }] } },
      },
    })
    const workload = workloadOf(component, anObservation({ hcp }), commonMetadata(component, hcp), live)
    assert.ok(workload.kind === 'Deployment')
    assert.deepEqual(workload.spec.template.spec.containers[0]?.resources, { requests: { cpu: '2', memory: '1Gi' } })
  })

  it('of etcd claims the storage that the control plane asks for', () => {
    const managed = { storage: { type: 'PersistentVolume', persistentVolume: { size: '16Gi', storageClassName: 'fast' } } }
    const workload = built('etcd', aControlPlaneOn('None', { etcd: { managementType: 'Managed', managed } }))
    assert.ok(workload.kind === 'StatefulSet')
    assert.equal(workload.spec.serviceName, 'etcd-discovery')
    assert.deepEqual(workload.spec.volumeClaimTemplates, [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '16Gi' } } },
      },
    ])
  })

  it('that is a CronJob starts in a minute of its own', () => {
    const workload = built('olm-collect-profiles')
    assert.ok(workload.kind === 'CronJob')
    assert.match(workload.spec.schedule, /^\d+-59\/15 \* \* \* \*$/)
  })

  it('is the same again from the same control plane', () => {
    const hcp = aControlPlaneOn('AWS', annotated('restart-date'))
    assert.deepEqual(built('kube-apiserver', hcp), built('kube-apiserver', hcp))
  })
})
