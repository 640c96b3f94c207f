import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, KubevirtMachineTemplate, Secret } from '@windlass/api'
import type { World } from '../hosted-cluster/testing/index.ts'
import { deploymentIn, hashIn, pass, poolIn, Provider, secretsIn, setRelease, settle, settled, updating } from './testing/index.ts'
import { decoded } from './token/index.ts'
import { PoolAnnotation } from './wire.ts'

const home = 'clusters-prod'

describe('a pool that another controller has made', () => {
  /** As it looks to us: settled, and with hashes that we would not come to. */
  function foreign(): { world: World; now: number } {
    const { world, now } = settled()
    const pool = poolIn(world)
    const old = hashIn(world)
    const rename = (text: string | undefined) => text?.replace(old, '1a2b3c4d') ?? ''
    const { 'windlass.dev/config-digest': _, ...annotations } = pool.metadata.annotations ?? {}
    world.put({
      ...pool,
      metadata: {
        ...pool.metadata,
        annotations: { ...annotations, [PoolAnnotation.currentConfigVersion]: '1a2b3c4d', [PoolAnnotation.currentConfig]: '0a0b0c0d' },
      },
    })
    for (const secret of world.list(Secret, { namespace: home }).filter(({ metadata }) => metadata.name?.endsWith(old) === true)) {
      world.drop(Secret, { namespace: home, name: secret.metadata.name ?? '' })
      const data = {
        ...secret.data,
        ...(secret.data?.['value'] === undefined ? {} : { value: Buffer.from(rename(decoded(secret, 'value'))).toString('base64') }),
      }
      world.put({ ...secret, metadata: { ...secret.metadata, name: rename(secret.metadata.name) }, data } as Secret)
    }
    const deployment = deploymentIn(world)
    const { spec } = deployment.spec.template
    const template = { ...deployment.spec.template, spec: { ...spec, bootstrap: { dataSecretName: 'user-data-workers-1a2b3c4d' } } }
    world.put({ ...deployment, spec: { ...deployment.spec, template } } as capi.MachineDeployment)
    const kubevirt = world.list(KubevirtMachineTemplate)[0] ?? assert.fail()
    world.drop(KubevirtMachineTemplate, { namespace: home, name: kubevirt.metadata.name ?? '' })
    world.put({ ...kubevirt, metadata: { ...kubevirt.metadata, name: 'workers-foreign' } })
    const adopted = deploymentIn(world)
    const ref = { ...adopted.spec.template.spec?.infrastructureRef, name: 'workers-foreign' }
    world.put({
      ...adopted,
      spec: { ...adopted.spec, template: { ...adopted.spec.template, spec: { ...adopted.spec.template.spec, infrastructureRef: ref } } },
    } as capi.MachineDeployment)
    return { world, now }
  }

  it('NP-69 is taken over without a rollout, and keeps its names until something changes', () => {
    const { world, now } = foreign()
    world.writes.length = 0
    pass(world, now)
    pass(world, now)
    const { annotations = {} } = poolIn(world).metadata
    assert.deepEqual([annotations['windlass.dev/adopted-hash'], annotations['windlass.dev/adopted-config']], ['1a2b3c4d', '0a0b0c0d'])
    assert.match(annotations['windlass.dev/config-digest'] ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual(secretsIn(world), ['token-workers-1a2b3c4d', 'user-data-workers-1a2b3c4d'])
    assert.equal(deploymentIn(world).spec.template.spec?.infrastructureRef.name, 'workers-foreign')
    assert.deepEqual(updating(world), ['False', 'False'])
    assert.deepEqual(
      world.writes.filter((write) => write.includes('MachineDeployment')),
      [],
    )
  })

  it('NP-69 is rolled out natively once something changes, and the marks go when that is complete', () => {
    const { world, now } = foreign()
    const provider = new Provider(world)
    pass(world, now)
    setRelease(world, '4.20.1')
    settle(world, provider, now)
    const { annotations = {} } = poolIn(world).metadata
    assert.equal(poolIn(world).status?.version, '4.20.1')
    assert.notEqual(hashIn(world), '1a2b3c4d')
    assert.deepEqual([annotations['windlass.dev/adopted-hash'], annotations['windlass.dev/adopted-config']], [undefined, undefined])
  })

  it('NP-69 is left alone while its former controller is at work', () => {
    const { world, now } = foreign()
    const deployment = deploymentIn(world)
    world.put({ ...deployment, status: { ...deployment.status, updatedReplicas: 1 } } as capi.MachineDeployment)
    world.writes.length = 0
    pass(world, now)
    assert.deepEqual(world.writes, [])
    assert.deepEqual(world.events, ['Warning AdoptionDeferred'])
  })
})
