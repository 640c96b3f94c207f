import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AWSMachineTemplate, type Kind, KubevirtMachineTemplate, type NodePool, toCrd } from '@windlass/api'
import { noUpstream, schemaChecker, upstreamOf } from '@windlass/api/conformance'
import { aHostedCluster } from '@windlass/api/fixtures'
import { found } from '../../hosted-cluster/index.ts'
import { aNewPool, aWorld, noon, seenIn } from '../testing/index.ts'
import { targetTemplate } from './index.ts'

type Platform = NodePool['spec']['platform']
type Aws = NonNullable<Platform['aws']>

const aws = (change: Partial<Aws> = {}): Platform => ({
  type: 'AWS',
  aws: { instanceType: 'm6i.large', subnet: { id: 'subnet-1' }, ...change },
})

/** Between them they say everything that a template is made from. */
const platforms: Readonly<Record<string, Platform>> = {
  'AWS with what is usual': aws(),
  'AWS with everything said': aws({
    ami: 'ami-2',
    instanceProfile: 'workers',
    subnet: { filters: [{ name: 'tag:Name', values: ['private-a'] }] },
    securityGroups: [{ id: 'sg-2' }, { filters: [{ name: 'tag:Name', values: ['workers'] }] }],
    rootVolume: { size: 120, type: 'io2', iops: 4000, encrypted: true, encryptionKey: 'arn:aws:kms:eu-west-1:1:key/k' },
    resourceTags: [{ key: 'team', value: 'a' }],
    placement: { tenancy: 'dedicated' },
  }),
  'AWS on the spot market': aws({ placement: { marketType: 'Spot', spot: { maxPrice: '0.10' } } }),
  'AWS in a reservation': aws({
    placement: { capacityReservation: { id: 'cr-0123456789abcdef0', preference: 'CapacityReservationsOnly' } },
  }),
  'AWS in a block of capacity': aws({ placement: { capacityReservation: { id: 'cr-0123456789abcdef0', marketType: 'CapacityBlocks' } } }),
  KubeVirt: {
    type: 'KubeVirt',
    kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } }, compute: { cores: 2, memory: '8Gi' } },
  },
}
const kinds: Readonly<Record<string, Kind>> = { AWS: AWSMachineTemplate, KubeVirt: KubevirtMachineTemplate }

function templateOf(platform: Platform) {
  const { status, ...cluster } = aHostedCluster()
  const ready = { ...cluster, status: { ...status, platform: { aws: { defaultWorkerSecurityGroupID: 'sg-1' } } } }
  const result = targetTemplate(seenIn(aWorld(aNewPool({ spec: { platform } }), ready), noon, { bootImage: found('ami-1') }))
  if (!('name' in result)) return assert.fail(JSON.stringify(result))
  const { apiVersion, kind } = result.kind
  // As it is sent: what is undefined is left out.
  return JSON.parse(JSON.stringify({ apiVersion, kind, ...result.draft })) as Parameters<ReturnType<typeof schemaChecker>>[0]
}

describe('the machine template of a pool', () => {
  for (const [what, platform] of Object.entries(platforms)) {
    const kind = kinds[platform.type] ?? assert.fail()

    it(`fits our schema: ${what}`, () =>
      assert.deepEqual(schemaChecker(toCrd(kind).spec.versions[0]?.schema.openAPIV3Schema ?? {})(templateOf(platform)), []))

    it(`fits upstream's schema: ${what}`, { skip: noUpstream }, () => {
      const { version } = upstreamOf(kind) ?? assert.fail(`upstream has no ${kind.kind}`)
      assert.deepEqual(schemaChecker(version.schema.openAPIV3Schema)(templateOf(platform)), [])
    })
  }
})
