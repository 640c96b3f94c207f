import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AWSMachineTemplate, capi } from '@windlass/api'
import type { HostedCluster, NodePool } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { failed, found } from '../../hosted-cluster/index.ts'
import { aNewPool, aWorld, noon, pass, poolIn, Provider, said, seenIn, setSpec, settle } from '../testing/index.ts'
import { runningMachineTags, targetTemplate, templateActions } from './index.ts'

type Aws = NonNullable<NodePool['spec']['platform']['aws']>

const aws = (change: Partial<Aws> = {}): NodePool['spec']['platform'] => ({
  type: 'AWS',
  aws: { instanceType: 'm6i.large', subnet: { id: 'subnet-1' }, ...change },
})

function cluster(group = 'sg-1'): HostedCluster {
  const healthy = aHostedCluster()
  return { ...healthy, status: { ...healthy.status, platform: { aws: { defaultWorkerSecurityGroupID: group } } } }
}

function template(platform: NodePool['spec']['platform'], of: HostedCluster = cluster()) {
  const result = targetTemplate(seenIn(aWorld(aNewPool({ spec: { platform } }), of), noon, { bootImage: found('ami-1') }))
  return 'name' in result ? result : assert.fail(JSON.stringify(result))
}

describe('the template of a pool on AWS', () => {
  it('9 has the usual profile, volume and security group', () => {
    const { name, kind, draft } = template(aws())
    assert.match(name, /^workers-[0-9a-f]{8}$/)
    assert.equal(kind.kind, 'AWSMachineTemplate')
    const spec = draft.spec.template.spec as AWSMachineTemplate['spec']['template']['spec']
    assert.deepEqual(
      [spec.ami?.id, spec.iamInstanceProfile, spec.rootVolume, spec.additionalSecurityGroups, spec.instanceType],
      ['ami-1', 'prod-7k2xq-worker-profile', { size: 16 }, [{ id: 'sg-1' }], 'm6i.large'],
    )
    const volume = template(aws({ rootVolume: { size: 120, type: '' } })).draft.spec.template.spec as typeof spec
    assert.deepEqual(volume.rootVolume, { size: 120, type: 'gp3' })
  })

  it('NP-51 has another name for another instance type', () =>
    assert.notEqual(template(aws()).name, template(aws({ instanceType: 'm6i.xlarge' })).name))

  it('7.3 has the same name with other tags, and gets them', () => {
    const tags = [{ key: 'team', value: 'a' }]
    const before = template(aws())
    const after = template(aws({ resourceTags: tags }))
    assert.equal(before.name, after.name)
    const live = { ...before.draft, apiVersion: before.kind.apiVersion, kind: before.kind.kind }
    const [action] = templateActions({ ...after, live })
    assert.ok(action?.do === 'patch')
    assert.deepEqual(action.patch, {
      spec: { template: { spec: { additionalTags: { team: 'a', 'kubernetes.io/cluster/prod-7k2xq': 'owned' } } } },
    })
  })

  it('4.17 waits for the security group without an error', () => {
    const world = aWorld(aNewPool({ spec: { platform: aws() } }), cluster(''))
    const { error, requeueAfter } = pass(world)
    assert.deepEqual([error, requeueAfter], [undefined, 5000])
    assert.equal(said(poolIn(world), 'AWSSecurityGroupAvailable'), 'False/DefaultSGNotReady')
  })

  it('7.3 writes its tags onto instances that run, and takes old ones away', () => {
    const world = aWorld(aNewPool({ spec: { platform: aws({ resourceTags: [{ key: 'team', value: 'a' }] }) } }), cluster())
    const platformMachines = [{ name: 'i-1', conditions: [], tags: { old: 'x' } }]
    const [action, ...others] = runningMachineTags(seenIn(world, noon, { platformMachines }))
    assert.ok(action?.do === 'patch' && others.length === 0)
    assert.deepEqual(
      [action.kind.kind, action.ref, action.patch],
      [
        'AWSMachine',
        { namespace: 'clusters-prod', name: 'i-1' },
        { spec: { additionalTags: { old: null, team: 'a', 'kubernetes.io/cluster/prod-7k2xq': 'owned' } } },
      ],
    )
  })

  it('12 tells the autoscaler what a machine offers that does not exist yet', () => {
    const { replicas: _, ...spec } = aNewPool().spec
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }] as const
    const pool: NodePool = {
      ...aNewPool(),
      spec: { ...spec, platform: aws(), autoScaling: { min: 0, max: 3 }, nodeLabels: { tier: 'gold', 'kubernetes.io/arch': 'x' }, taints },
    }
    const world = aWorld(pool, cluster())
    const capacity = found({ cpus: 4, memoryMb: 16_384, gpus: 0, architecture: 'amd64' })
    pass(world, noon, { capacity })
    const { metadata, spec: deployment } =
      world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' }) ?? assert.fail()
    assert.equal(deployment.replicas, 0)
    assert.deepEqual(
      [
        'machine.openshift.io/vCPU',
        'machine.openshift.io/memoryMb',
        'machine.openshift.io/GPU',
        'capacity.cluster-autoscaler.kubernetes.io/labels',
        'capacity.cluster-autoscaler.kubernetes.io/taints',
      ].map((key) => metadata.annotations?.[key]),
      ['4', '16384', undefined, 'kubernetes.io/arch=amd64,tier=gold', 'gpu:NoSchedule'],
    )
    const [live] = world.list(AWSMachineTemplate)
    const described: AWSMachineTemplate = { ...(live ?? assert.fail()), status: { capacity: { cpu: '4' } } }
    world.put(described)
    pass(world, noon, { capacity })
    assert.equal(
      world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })?.metadata.annotations?.[
        'machine.openshift.io/vCPU'
      ],
      undefined,
    )
  })

  it('4.18 is asked again what a machine offers when that could not be found out, and not when nobody knows such a machine', () => {
    const { replicas: _, ...spec } = aNewPool().spec
    const world = aWorld({ ...aNewPool(), spec: { ...spec, platform: aws(), autoScaling: { min: 1, max: 3 } } }, cluster())
    assert.equal(pass(world, noon, { capacity: failed('the cloud does not answer') }).requeueAfter, 30_000)
    assert.equal(pass(world, noon, { capacity: { is: 'unknown', problem: 'there is no m9z.huge' } }).requeueAfter, undefined)
  })

  it('12 keeps one machine where nobody can say what the first would offer', () => {
    const { replicas: _, ...spec } = aNewPool().spec
    const world = aWorld({ ...aNewPool(), spec: { ...spec, platform: aws(), autoScaling: { min: 0, max: 3 } } }, cluster())
    pass(world)
    assert.equal(world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })?.spec.replicas, 1)
  })
})

describe('other platforms', () => {
  it('9 Agent takes the same hosts whatever the release', () => {
    const platform = { type: 'Agent', agent: { agentLabelSelector: { matchLabels: { size: 'large' } } } } as const
    assert.deepEqual(template(platform).draft.spec.template.spec, { agentLabelSelector: { matchLabels: { size: 'large' } } })
  })

  it('5 KubeVirt refuses machines without a network', () => {
    const world = aWorld(aNewPool({ spec: { platform: { type: 'KubeVirt', kubevirt: { rootVolume: {}, attachDefaultNetwork: false } } } }))
    assert.match(pass(world).error ?? '', /machines would have no network/)
    assert.equal(said(poolIn(world), 'ValidMachineTemplate'), 'False/InvalidKubevirtMachineTemplate')
    setSpec(world, { platform: { type: 'KubeVirt', kubevirt: { rootVolume: {} } } })
    pass(world)
    assert.equal(said(poolIn(world), 'ValidMachineTemplate'), undefined)
  })

  const azurePool = {
    vmSize: 'Standard_D4s_v5',
    subnetID: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes',
    availabilityZone: '1',
    encryptionAtHost: 'Enabled',
    image: {
      type: 'AzureMarketplace',
      azureMarketplace: { publisher: 'p', offer: 'o', sku: 's', version: '1.2.3', imageGeneration: 'Gen2' },
    },
    osDisk: { sizeGiB: 120, diskStorageAccountType: 'Premium_LRS', persistence: 'Ephemeral' },
  }

  it('9 Azure gets machines in the words of its provider', () => {
    const { kind, draft } = template({ type: 'Azure', azure: azurePool })
    assert.equal(kind.kind, 'AzureMachineTemplate')
    const { sshPublicKey, ...spec } = draft.spec.template.spec as { readonly sshPublicKey: string }
    assert.match(Buffer.from(sshPublicKey, 'base64').toString(), /^ssh-rsa AAAA/)
    assert.deepEqual(spec, {
      vmSize: 'Standard_D4s_v5',
      image: { marketplace: { publisher: 'p', offer: 'o', sku: 's', version: '1.2.3' } },
      osDisk: {
        osType: '',
        diskSizeGB: 120,
        managedDisk: { storageAccountType: 'Premium_LRS' },
        cachingType: 'ReadOnly',
        diffDiskSettings: { option: 'Local' },
      },
      networkInterfaces: [{ subnetName: 'nodes' }],
      failureDomain: '1',
      securityProfile: { encryptionAtHost: true },
    })
  })

  it('9 Azure needs a subnet and an image', () => {
    const problem = (change: object): string => {
      const platform = { type: 'Azure' as const, azure: { ...azurePool, ...change } }
      const outcome = targetTemplate(seenIn(aWorld(aNewPool({ spec: { platform } })), noon, { bootImage: undefined }))
      return 'problem' in outcome ? outcome.problem : ''
    }
    assert.match(problem({ subnetID: 'nodes' }), /subnetID does not name a subnet/)
    assert.match(problem({ image: { type: 'AzureMarketplace', azureMarketplace: { publisher: 'p' } } }), /no image is known/)
    assert.equal(problem({ image: { type: 'ImageID', imageID: '/images/1' } }), '')
  })

  it('9 PowerVS gets machines where its cluster is', () => {
    const healthy = cluster()
    const powervs = { serviceInstanceID: 'workspace', subnet: { id: 'net-1' }, region: 'syd' }
    const placed: HostedCluster = { ...healthy, spec: { ...healthy.spec, platform: { type: 'PowerVS', powervs } } }
    const { kind, draft } = template({ type: 'PowerVS', powervs: { processorType: 'capped', image: { name: 'rhcos' } } }, placed)
    assert.equal(kind.kind, 'IBMPowerVSMachineTemplate')
    assert.deepEqual(draft.spec.template.spec, {
      serviceInstanceID: 'workspace',
      image: { name: 'rhcos' },
      network: { id: 'net-1' },
      systemType: 's922',
      processorType: 'Capped',
      processors: '0.5',
      memoryGiB: 32,
    })
  })

  it('9 there are no machines on platforms that nobody has written down', () => {
    const world = aWorld(aNewPool({ spec: { platform: { type: 'IBMCloud' } } }))
    assert.match(pass(world).error ?? '', /machines cannot be made on platform IBMCloud: use one of AWS, Azure, KubeVirt, Agent, PowerVS/)
  })

  it('13 the template in use keeps its name whoever gave it', () => {
    const world = aWorld()
    settle(world, new Provider(world))
    const before = world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })?.spec.template.spec
      ?.infrastructureRef.name
    const after = targetTemplate(seenIn(world))
    assert.equal('name' in after ? after.name : '', before)
  })
})
