import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, HostedCluster, NodePool, Secret } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { hashIn, home, installed, secretsIn, tell } from '../simulation/world.ts'
import { aMachineConfig } from '../testing/index.ts'
import { Annotation } from '../wire.ts'

const isMarked = ({ state }: World, name: string): boolean =>
  state.get(Secret, { namespace: home, name })?.metadata.annotations?.[Annotation.tokenExpires] !== undefined

const config = { namespace: 'clusters', name: 'motd' }

async function putConfig({ client }: World, contents: string): Promise<void> {
  await client.patch(ConfigMap, config, { data: { config: aMachineConfig('motd', contents) } })
}

const untilMarked = (world: World, name: string) => world.until(() => isMarked(world, name), { within: '10m' })

describe('the janitor', () => {
  const onDelete = { upgradeType: 'Replace', autoRepair: false, replace: { strategy: 'OnDelete' } } as const
  const inPlace = { upgradeType: 'InPlace', autoRepair: false } as const

  for (const [words, spec] of [
    ['whose machines are replaced when somebody deletes them', { replicas: 1, management: onDelete }],
    ['whose nodes stay', { replicas: 1, management: inPlace }],
  ] satisfies [string, Partial<NodePool['spec']>][]) {
    it(`8.4 puts away the token of a configuration that was taken back, of a pool ${words}`, async () => {
      await tell(async (world) => {
        await world.client.create(ConfigMap, { metadata: config, data: { config: aMachineConfig('motd', 'data:,a') } })
        await installed(world, { spec: { ...spec, config: [{ name: config.name }] } })
        const first = hashIn(world)
        await putConfig(world, 'data:,b')
        await untilMarked(world, `token-workers-${first}`)
        const [second = assert.fail()] = secretsIn(world).filter((name) => name.startsWith('token-') && !name.endsWith(first))
        await putConfig(world, 'data:,a')
        await untilMarked(world, second)
        assert.equal(isMarked(world, `token-workers-${first}`), false)
        await world.until(() => secretsIn(world).length === 3, { within: '10m' })
        assert.ok(secretsIn(world).includes(`user-data-workers-${first}`))
      })
    })
  }

  it('NP-66 deletes user data of a pool that is gone, and marks the token of a cluster that is going', async () => {
    await tell(async (world) => {
      const { client, state } = world
      await installed(world, { spec: { replicas: 1 } })
      const annotations = { [Annotation.nodePool]: 'clusters/ghost' }
      await client.create(Secret, { metadata: { namespace: home, name: 'user-data-ghost-0', annotations } })
      await world.until(() => state.get(Secret, { namespace: home, name: 'user-data-ghost-0' }) === undefined, { within: '1m' })
      const cluster = { namespace: 'clusters', name: 'prod' }
      await client.patch(HostedCluster, cluster, { metadata: { finalizers: ['example.com/kept'] } })
      await client.delete(HostedCluster, cluster)
      await untilMarked(world, `token-workers-${hashIn(world)}`)
      assert.ok(secretsIn(world).includes(`user-data-workers-${hashIn(world)}`), 'a machine needs it')
    })
  })
})
