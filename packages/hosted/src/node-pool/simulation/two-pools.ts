import assert from 'node:assert/strict'
import { capi, ConfigMap, KubevirtMachineTemplate, NodePool, Secret } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { aMachineConfig } from '../testing/index.ts'
import type { Desk } from './desk.ts'
import { Annotation } from '../wire.ts'
import { ask, controlPlaneAt, hashIn, home, isAt, machinesIn, nodesIn, poolIn, poolRef, secretsIn, upgrade } from './world.ts'

const config = (contents: string) => ({ data: { config: aMachineConfig('own', contents) } })

/** Two pools, one of each sort, are made, upgraded while their configuration changes, and one of them goes. */
export async function twoPools(world: World, desk: Desk): Promise<void> {
  const isDone = (version: string, name: string, replicas: number) =>
    isAt(world, version, name) && poolIn(world, name)?.status?.replicas === replicas
  await world.client.create(ConfigMap, { metadata: { namespace: 'clusters', name: 'own' }, ...config('data:,a') })
  await ask(world, { spec: { config: [{ name: 'own' }] } })
  await ask(world, { name: 'stay', spec: { replicas: 2, management: { upgradeType: 'InPlace', autoRepair: false } } })
  await world.until(() => isDone('4.19.6', 'workers', 3) && isDone('4.19.6', 'stay', 2), { within: '2h' })
  await controlPlaneAt(world, '4.20.1')
  for (const name of ['workers', 'stay']) await upgrade(world, '4.20.1', name)
  await world.sleep('1m')
  await world.client.patch(ConfigMap, { namespace: 'clusters', name: 'own' }, config('data:,b'))
  await world.until(() => isDone('4.20.1', 'workers', 3) && isDone('4.20.1', 'stay', 2), { within: '2h' })
  await world.settled({ within: '2h' })
  assert.deepEqual([machinesIn(world).length, nodesIn(world).length], [5, 5], 'no machine is left over, and no node')
  await world.client.delete(NodePool, poolRef('stay'))
  await world.until(() => poolIn(world, 'stay') === undefined, { within: '2h' })
  await world.settled({ within: '2h' })
  assert.deepEqual([machinesIn(world).length, nodesIn(world).length], [3, 3])
  const current = new Set([`token-workers-${hashIn(world)}`, `user-data-workers-${hashIn(world)}`])
  const others = world.state
    .list(Secret, { namespace: home })
    .filter(({ metadata: { name = '' } }) => /^(?:token|user-data)-/.test(name) && !current.has(name))
  // Tokens that nobody wants any more go when their time has come, and all else is gone already.
  assert.ok(
    others.every(({ metadata }) => metadata.annotations?.[Annotation.tokenExpires] !== undefined),
    secretsIn(world).join(),
  )
  const used = new Set(world.state.list(capi.MachineSet).map(({ spec }) => spec.template?.spec?.infrastructureRef.name))
  assert.ok(world.state.list(KubevirtMachineTemplate).every(({ metadata }) => used.has(metadata.name)))
  const tokens = world.state.list(Secret, { namespace: home }).flatMap(({ data }) => data?.['token'] ?? [])
  assert.equal(new Set(tokens).size, tokens.length)
  assert.deepEqual(desk.letInTooLate, [])
}
