import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Secret } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import { aHostedControlPlane, aNamespace, aSecret } from '@windlass/api/fixtures'
import { parse } from 'yaml'
import { World } from '../hosted-cluster/testing/index.ts'
import { coreIgnitionConfigs, ignitionAuthoritySecret } from './core-ignition.ts'

const namespace = 'clusters-prod'
const sshKey = aSecret({
  name: 'ssh-key',
  namespace,
  type: 'Opaque',
  data: { 'id_rsa.pub': Buffer.from('ssh-rsa AAAA').toString('base64') },
})
const aWorld = () => new World([aNamespace({ name: namespace }), sshKey])

function make(world: World, controlPlane: HostedControlPlane): void {
  world.carryOut(coreIgnitionConfigs(controlPlane, world), 0)
}

const controlPlane = aHostedControlPlane({ spec: { sshKey: { name: 'ssh-key' } } })
const mirrored = aHostedControlPlane({
  spec: { sshKey: { name: 'ssh-key' }, imageContentSources: [{ source: 'a.example.com/ocp', mirrors: ['b.example.com/ocp'] }] },
})
const labelled = (world: World): readonly ConfigMap[] =>
  world.list(ConfigMap, { namespace, labels: { 'hypershift.openshift.io/core-ignition-config': 'true' } })
const namesIn = (world: World): readonly string[] =>
  labelled(world)
    .map(({ metadata }) => metadata.name ?? '')
    .toSorted()
const configIn = (world: World, name: string): string => world.find(ConfigMap, { namespace, name })?.data?.['config'] ?? ''

describe('what nodes of every pool are configured with', () => {
  it('is there by the label that node pools count: two parts, and a third where images are mirrored', () => {
    const world = aWorld()
    make(world, controlPlane)
    assert.deepEqual(namesIn(world), ['ignition-config-fips', 'ignition-config-worker-ssh'])
    assert.deepEqual(parse(configIn(world, 'ignition-config-fips')).spec, { fips: false })
    const { users } = parse(configIn(world, 'ignition-config-worker-ssh')).spec.config.passwd
    assert.deepEqual(users, [{ name: 'core', sshAuthorizedKeys: ['ssh-rsa AAAA'] }])
    make(world, mirrored)
    assert.deepEqual(namesIn(world), ['ignition-config-40-image-content-source', 'ignition-config-fips', 'ignition-config-worker-ssh'])
    make(world, controlPlane)
    assert.equal(namesIn(world).length, 2)
  })

  it('is not written again when nothing has changed', () => {
    const world = aWorld()
    make(world, mirrored)
    world.writes.length = 0
    make(world, mirrored)
    assert.deepEqual(world.writes, [])
  })

  it('stays as another operator has written it while it means the same, so that no node is made anew', () => {
    const world = aWorld()
    make(world, controlPlane)
    const live = world.find(ConfigMap, { namespace, name: 'ignition-config-fips' }) ?? assert.fail()
    const theirs = 'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nspec:\n  fips: false\n  kernelArguments: null\n'
    const changed: ConfigMap = { ...live, data: { config: theirs } }
    world.put(changed)
    make(world, controlPlane)
    assert.equal(configIn(world, 'ignition-config-fips'), theirs)
    make(world, aHostedControlPlane({ spec: { sshKey: { name: 'ssh-key' }, fips: true } }))
    assert.deepEqual(parse(configIn(world, 'ignition-config-fips')).spec, { fips: true })
  })

  it('comes with whom machines trust, where somebody says so', () => {
    const world = aWorld()
    world.carryOut(ignitionAuthoritySecret(controlPlane, 'CERTIFICATE', world), 0)
    const secret = world.find(Secret, { namespace, name: 'ignition-server-ca-cert' })
    assert.equal(Buffer.from(secret?.data?.['tls.crt'] ?? '', 'base64').toString(), 'CERTIFICATE')
    assert.deepEqual(ignitionAuthoritySecret(controlPlane, 'CERTIFICATE', world), [])
  })
})
