import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Deployment } from '@windlass/api'
import { aDeployment } from '@windlass/api/fixtures'
import type { HostedControlPlane, KubernetesObject } from '@windlass/api'
import { networkOperands, snapshotOperands, storageOperands } from './operands.ts'
import { operandProblems } from './operand-status.ts'
import { registry } from './registry.ts'
import { deployment } from './rows.ts'
import { aControlPlaneOn, anObservation, imageAt } from './testing/index.ts'

const component = (name: string) => registry.get(name) ?? assert.fail(name)

function operand(name: string, container: string, image: string, metadata = {}): Deployment {
  const { spec } = aDeployment({ name })
  return aDeployment({ name, metadata, spec: { ...spec, template: { spec: { containers: [{ name: container, image }] } } } })
}

const at = (version: string) => [
  operand('ovnkube-control-plane', 'ovnkube-control-plane', imageAt(version, 'ovn-kubernetes')),
  operand('network-node-identity', 'approver', imageAt('4.19.6', 'ovn-kubernetes')),
  operand('multus-admission-controller', 'multus-admission-controller', imageAt('4.19.6', 'multus-admission-controller')),
]

function problems(name: string, hcp: HostedControlPlane, objects: readonly KubernetesObject[]): readonly string[] {
  const observed = anObservation({ hcp, objects })
  return operandProblems(component(name), observed, observed.namespace)
}

describe('operands', () => {
  it('3.7 are by platform and network those of the specification', () => {
    const names = (operands: ReturnType<typeof networkOperands>) =>
      operands.map(({ deployment: name, container, image }) => `${name} ${container}:${image}`)
    const ovn = ['ovnkube-control-plane ovnkube-control-plane:ovn-kubernetes', 'network-node-identity approver:ovn-kubernetes']
    const cloud = 'cloud-network-config-controller controller:cloud-network-config-controller'
    const multus = 'multus-admission-controller multus-admission-controller:multus-admission-controller'
    const other = (disableMultiNetwork: boolean) => ({
      networking: { networkType: 'Other' },
      operatorConfiguration: { clusterNetworkOperator: { disableMultiNetwork } },
    })
    assert.deepEqual(names(networkOperands(aControlPlaneOn('KubeVirt'))), [...ovn, multus])
    for (const platform of ['AWS', 'Azure', 'GCP', 'OpenStack'])
      assert.deepEqual(names(networkOperands(aControlPlaneOn(platform))), [...ovn, cloud, multus])
    assert.deepEqual(names(networkOperands(aControlPlaneOn('AWS', other(false)))), [multus])
    assert.deepEqual(names(networkOperands(aControlPlaneOn('AWS', other(true)))), [])
    assert.deepEqual(names(storageOperands(aControlPlaneOn('AWS'))), [
      'aws-ebs-csi-driver-operator aws-ebs-csi-driver-operator:aws-ebs-csi-driver-operator',
      'aws-ebs-csi-driver-controller csi-driver:aws-ebs-csi-driver',
    ])
    assert.deepEqual(
      storageOperands(aControlPlaneOn('Azure')).map(({ deployment: name }) => name),
      [
        'azure-disk-csi-driver-operator',
        'azure-disk-csi-driver-controller',
        'azure-file-csi-driver-operator',
        'azure-file-csi-driver-controller',
      ],
    )
    assert.deepEqual(storageOperands(aControlPlaneOn('KubeVirt')), [])
    assert.deepEqual(names(snapshotOperands()), ['csi-snapshot-controller snapshot-controller:csi-snapshot-controller'])
  })

  it('3.7 that run the release and are ready are no problem', () => {
    assert.deepEqual(problems('cluster-network-operator', aControlPlaneOn('KubeVirt'), at('4.19.6')), [])
  })

  it('C23 that run the old image are one', () => {
    assert.deepEqual(problems('cluster-network-operator', aControlPlaneOn('KubeVirt'), at('4.18.0')), [
      `container ovnkube-control-plane in deployment ovnkube-control-plane is not using the expected image ${imageAt('4.19.6', 'ovn-kubernetes')}`,
    ])
  })

  it('1.9 that run the old image are one too when another was put in the place of that of the release', () => {
    const image = 'example.com/ovn:1'
    const hcp = aControlPlaneOn('KubeVirt', { annotations: { 'hypershift.openshift.io/image-overrides': `ovn-kubernetes=${image}` } })
    const told = (deployment: string, container: string) =>
      `container ${container} in deployment ${deployment} is not using the expected image ${image}`
    assert.deepEqual(problems('cluster-network-operator', hcp, at('4.19.6')), [
      told('ovnkube-control-plane', 'ovnkube-control-plane'),
      told('network-node-identity', 'approver'),
    ])
    const renewed = [operand('ovnkube-control-plane', 'ovnkube-control-plane', image), operand('network-node-identity', 'approver', image)]
    assert.deepEqual(problems('cluster-network-operator', hcp, [...renewed, ...at('4.19.6').slice(2)]), [])
  })

  it('C24 are none for another network without further networks', () => {
    const hcp = aControlPlaneOn('KubeVirt', {
      networking: { networkType: 'Other' },
      operatorConfiguration: { clusterNetworkOperator: { disableMultiNetwork: true } },
    })
    assert.deepEqual(problems('cluster-network-operator', hcp, at('4.18.0')), [])
  })

  it('3.7 that are missing, or not ready, are all named', () => {
    const rolling = { ...aDeployment({ metadata: { generation: 2 } }) }
    const [ovn] = at('4.19.6')
    assert.deepEqual(
      problems('cluster-network-operator', aControlPlaneOn('KubeVirt'), [{ ...rolling, metadata: { ...ovn?.metadata, generation: 2 } }]),
      [
        'deployment ovnkube-control-plane has no container ovnkube-control-plane',
        'deployment ovnkube-control-plane is not ready',
        'deployment network-node-identity not found',
        'deployment multus-admission-controller not found',
      ],
    )
  })

  it('3.7 that are being deleted are one, though they are ready', () => {
    const metadata = { deletionTimestamp: '2026-03-06T12:00:00Z' }
    const going = [operand('ovnkube-control-plane', 'ovnkube-control-plane', imageAt('4.19.6', 'ovn-kubernetes'), metadata)]
    assert.deepEqual(problems('cluster-network-operator', aControlPlaneOn('KubeVirt'), [...going, ...at('4.19.6').slice(1)]), [
      'deployment ovnkube-control-plane is being deleted',
    ])
  })

  it('3.7 of an image that the release does not have cannot be told to be right', () => {
    const observed = anObservation({
      hcp: aControlPlaneOn('KubeVirt'),
      release: { version: '4.19.6', images: new Map() },
      objects: at('4.19.6'),
    })
    const found = operandProblems(component('cluster-network-operator'), observed, observed.namespace)
    assert.equal(found[0], 'the release has no image ovn-kubernetes for deployment ovnkube-control-plane')
  })
})

describe('operands by label', () => {
  const row = deployment('some-operator', [], () => true, { operands: 'labelled' })
  const labels = { 'hypershift.openshift.io/managed-by': 'some-operator' }
  const made = (annotations: Readonly<Record<string, string>>, generation = 1) =>
    aDeployment({ name: 'made', metadata: { labels, annotations, generation } })
  const found = (object: Deployment) => {
    const observed = anObservation({ objects: [object, aDeployment({ name: 'unrelated' })] })
    return operandProblems(row, observed, observed.namespace)
  }
  const version = (value: string) => ({ 'release.openshift.io/version': value })

  it('3.7 must say for which version they were made, run it and be ready', () => {
    assert.deepEqual(found(made(version('4.19.6'))), [])
    assert.deepEqual(found(made({})), ['deployment made does not have the annotation release.openshift.io/version'])
    assert.deepEqual(found(made(version('4.18.0'))), ['deployment made has version 4.18.0, expected 4.19.6'])
    assert.deepEqual(found(made(version('4.19.6'), 2)), ['deployment made is not ready'])
  })
})
