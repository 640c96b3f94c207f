import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AWSMachineTemplate, capi, KubevirtMachineTemplate } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { failed, found } from '../hosted-cluster/index.ts'
import type { World } from '../hosted-cluster/testing/index.ts'
import { deploymentIn, foreignNames, foreignPool, hashIn, pass, poolIn, said, secretsIn } from './testing/index.ts'
import { setRelease, setSpec, settle, type Told, updating } from './testing/index.ts'
import { PoolAnnotation } from './wire.ts'

const home = 'clusters-prod'
/** Nobody knows what machines could start from but their template. */
const told: Told = { bootImage: failed('the AMIs of a release are not known here') }
const known: Told = { bootImage: found('ami-1') }

const uidsIn = (world: World) => world.list(capi.Machine).map(({ metadata }) => `${metadata.name ?? ''} ${metadata.uid ?? ''}`)
const templatesIn = (world: World) => [...world.list(AWSMachineTemplate), ...world.list(KubevirtMachineTemplate)]
const setIn = (world: World) => world.find(capi.MachineSet, { namespace: home, name: 'workers' })
const templateOf = (world: World) => (setIn(world) ?? deploymentIn(world)).spec.template?.spec?.infrastructureRef.name
const marks = (world: World) =>
  [PoolAnnotation.adoptedHash, PoolAnnotation.adoptedConfig, PoolAnnotation.adoptedTemplate].map(
    (key) => poolIn(world).metadata.annotations?.[key],
  )

for (const platform of ['KubeVirt', 'AWS'] as const) {
  for (const upgradeType of ['Replace', 'InPlace'] as const) {
    describe(`a pool on ${platform} that another controller has made, with upgrade type ${upgradeType}`, () => {
      it('NP-69 is taken over with no machine made anew, and keeps its names until something changes', () => {
        const { world, provider, now } = foreignPool(platform, upgradeType)
        const [machines, templates] = [uidsIn(world), templatesIn(world)]
        settle(world, provider, now, told)
        assert.deepEqual([uidsIn(world), templatesIn(world)], [machines, templates])
        assert.deepEqual(marks(world), [foreignNames.hash, foreignNames.configHash, foreignNames.template])
        assert.match(poolIn(world).metadata.annotations?.[PoolAnnotation.configDigest] ?? '', /^[0-9a-f]{64}$/)
        assert.deepEqual(secretsIn(world), [`token-workers-${foreignNames.hash}`, `user-data-workers-${foreignNames.hash}`])
        assert.equal(templateOf(world), foreignNames.template)
        assert.deepEqual(
          [...updating(world), said(poolIn(world), 'UpdatingPlatformMachineTemplate')],
          ['False', 'False', 'False/AsExpected'],
        )
        assert.deepEqual(
          world.writes.filter((write) => write.includes('MachineDeployment')),
          [],
        )
      })

      it('NP-69 grows from the template that it came with', () => {
        const { world, provider, now } = foreignPool(platform, upgradeType)
        const machines = uidsIn(world)
        const later = settle(world, provider, now, told)
        setSpec(world, { replicas: 4 })
        settle(world, provider, later, told)
        assert.ok(machines.every((machine) => uidsIn(world).includes(machine)))
        assert.deepEqual([uidsIn(world).length, templateOf(world)], [4, foreignNames.template])
      })

      it('NP-69 is brought to another release natively, and the marks go when that is complete', () => {
        const { world, provider, now } = foreignPool(platform, upgradeType)
        const later = settle(world, provider, now, told)
        setRelease(world, '4.20.1')
        pass(world, later, known)
        assert.notEqual(templateOf(world), foreignNames.template)
        if (upgradeType === 'InPlace') return
        settle(world, provider, later, known)
        assert.equal(poolIn(world).status?.version, '4.20.1')
        assert.notEqual(hashIn(world), foreignNames.hash)
        assert.deepEqual(marks(world), [undefined, undefined, undefined])
      })
    })
  }
}

describe('a pool that another controller has made', () => {
  it('7.5 goes back to its template when it asks for what it asked for again, before that was complete', () => {
    const { world, provider, now } = foreignPool('KubeVirt', 'Replace')
    const later = settle(world, provider, now, told)
    const { release } = poolIn(world).spec
    setRelease(world, '4.20.1')
    pass(world, later, known)
    assert.notEqual(templateOf(world), foreignNames.template)
    setSpec(world, { release })
    pass(world, later, known)
    assert.equal(templateOf(world), foreignNames.template)
  })

  it('7.5 gets a template of ours when it asks for other machines', () => {
    const { world, provider, now } = foreignPool('AWS', 'Replace')
    const later = settle(world, provider, now, told)
    const { platform } = poolIn(world).spec
    setSpec(world, { platform: { ...platform, aws: { ...platform.aws, subnet: { id: 'subnet-1' }, instanceType: 'm6i.xlarge' } } })
    pass(world, later, known)
    assert.notEqual(templateOf(world), foreignNames.template)
    assert.equal(said(poolIn(world), 'UpdatingPlatformMachineTemplate'), 'True/AsExpected')
  })

  it('7.5 is adopted though it is paused, and is changed when the pause ends by what has changed meanwhile', () => {
    const { world, now } = foreignPool('KubeVirt', 'Replace')
    setSpec(world, { pausedUntil: 'true' })
    pass(world, now, told)
    assert.deepEqual(marks(world), [foreignNames.hash, foreignNames.configHash, foreignNames.template])
    setRelease(world, '4.20.1')
    pass(world, now, known)
    assert.equal(templateOf(world), foreignNames.template)
    const { pausedUntil: _, ...spec } = poolIn(world).spec
    world.put({ ...poolIn(world), spec } as NodePool)
    pass(world, now, known)
    assert.notEqual(templateOf(world), foreignNames.template)
  })

  it('7.5 gets other tags in the template that it has', () => {
    const { world, provider, now } = foreignPool('AWS', 'Replace')
    const later = settle(world, provider, now, told)
    const { platform } = poolIn(world).spec
    const { aws = { instanceType: '', subnet: {} } } = platform
    setSpec(world, { platform: { ...platform, aws: { ...aws, resourceTags: [{ key: 'team', value: 'a' }] } } })
    settle(world, provider, later, told)
    const [template, ...others] = world.list(AWSMachineTemplate)
    assert.deepEqual([template?.metadata.name, others], [foreignNames.template, []])
    assert.equal(template?.spec.template.spec.additionalTags?.['team'], 'a')
    assert.equal(template?.spec.template.spec.ami?.id, 'ami-0fedcba9876543210')
  })

  it('7.5 cannot be brought to a release whose images nobody knows, and says so', () => {
    const { world, provider, now } = foreignPool('AWS', 'Replace')
    const machines = uidsIn(world)
    const later = settle(world, provider, now, told)
    setRelease(world, '4.20.1')
    assert.match(pass(world, later, told).error ?? '', /the AMIs of a release are not known here/)
    assert.equal(said(poolIn(world), 'ValidPlatformImage'), 'False/ValidationFailed')
    assert.deepEqual(uidsIn(world), machines)
  })

  it('NP-69 is left alone while its former controller is at work', () => {
    const { world, now } = foreignPool('KubeVirt', 'Replace')
    const deployment = deploymentIn(world)
    world.put({ ...deployment, status: { ...deployment.status, updatedReplicas: 1 } } as capi.MachineDeployment)
    pass(world, now)
    assert.deepEqual(world.writes, [])
    assert.deepEqual(world.events, ['Warning AdoptionDeferred'])
  })
})
