import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import { aHostedControlPlane, aNamespace } from '@windlass/api/fixtures'
import { seededRandom } from '@windlass/core'
import { World } from '../hosted-cluster/testing/index.ts'
import { kubeconfigSecrets, passwordSecret } from './secrets.ts'

const namespace = 'clusters-prod'
const aWorld = () => new World([aNamespace({ name: namespace })])
const random = seededRandom('password')

function make(world: World, controlPlane: HostedControlPlane): void {
  world.carryOut([...kubeconfigSecrets(controlPlane, 'a3ViZQ==', world), ...passwordSecret(controlPlane, world, random)], 0)
}

describe('the Secrets of a control plane', () => {
  it('hold the kubeconfig under every name that it is looked for, and follow it', () => {
    const world = aWorld()
    const controlPlane = aHostedControlPlane()
    make(world, controlPlane)
    const find = (name: string) => world.find(Secret, { namespace, name })
    assert.deepEqual(find('admin-kubeconfig')?.data, { kubeconfig: 'a3ViZQ==' })
    assert.deepEqual(find('prod-7k2xq-kubeconfig')?.data, { value: 'a3ViZQ==' })
    assert.equal(find('prod-7k2xq-kubeconfig')?.type, 'cluster.x-k8s.io/secret')
    world.writes.length = 0
    world.carryOut(kubeconfigSecrets(controlPlane, 'bmV3', world), 0)
    assert.equal(world.writes.length, 3)
    assert.deepEqual(find('admin-kubeconfig')?.data, { kubeconfig: 'bmV3' })
  })

  it('3.10 hold a kubeconfig by the name that the API server was given, while it has one', () => {
    const world = aWorld()
    const kubeconfig = Buffer.from('clusters:\n- cluster:\n    server: https://127.0.0.1:6443/clusters/clusters-prod\n').toString('base64')
    const named = aHostedControlPlane({ spec: { kubeAPIServerDNSName: 'api.example.com' } })
    const custom = () => world.find(Secret, { namespace, name: 'custom-admin-kubeconfig' })
    world.carryOut(kubeconfigSecrets(named, kubeconfig, world), 0)
    const text = Buffer.from(custom()?.data?.['kubeconfig'] ?? '', 'base64').toString()
    assert.equal(text, 'clusters:\n- cluster:\n    server: https://api.example.com:6443/clusters/clusters-prod\n')
    assert.deepEqual(kubeconfigSecrets(named, kubeconfig, world), [])
    world.carryOut(kubeconfigSecrets(aHostedControlPlane(), kubeconfig, world), 0)
    assert.equal(custom(), undefined)
  })

  it('have a first password, which stays', () => {
    const world = aWorld()
    make(world, aHostedControlPlane())
    const secret = world.find(Secret, { namespace, name: 'kubeadmin-password' })
    assert.match(Buffer.from(secret?.data?.['password'] ?? '', 'base64').toString(), /^([A-Za-z0-9]{5}-){3}[A-Za-z0-9]{5}$/)
    world.writes.length = 0
    make(world, aHostedControlPlane())
    assert.deepEqual(world.writes, [])
  })

  it('have none where people log in some other way, and only ours is taken back', () => {
    const other = aHostedControlPlane({ spec: { configuration: { oauth: { identityProviders: [] } } } })
    const world = aWorld()
    make(world, aHostedControlPlane())
    make(world, other)
    assert.equal(world.find(Secret, { namespace, name: 'kubeadmin-password' }), undefined)
    world.carryOut(
      passwordSecret({ ...aHostedControlPlane(), metadata: { ...aHostedControlPlane().metadata, uid: 'of-another' } }, world, random),
      0,
    )
    make(world, other)
    assert.notEqual(world.find(Secret, { namespace, name: 'kubeadmin-password' }), undefined)
  })
})
