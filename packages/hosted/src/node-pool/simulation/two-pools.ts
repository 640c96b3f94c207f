import assert from 'node:assert/strict'
import { capi, ConfigMap, KubevirtMachineTemplate, NodePool, type Resource, Secret } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { aMachineConfig } from '../testing/index.ts'
import type { Desk } from './desk.ts'
import { Annotation } from '../wire.ts'
import {
  ask,
  controlPlaneAt,
  controlPlaneLeavesFor,
  hashIn,
  home,
  isAt,
  machinesIn,
  nodesIn,
  poolIn,
  poolRef,
  questionFor,
  secretsIn,
  upgrade,
} from './world.ts'

const config = (contents: string) => ({ data: { config: aMachineConfig('own', contents) } })

/**
 * Two pools, one of each sort, are made, asked to follow their control plane while it moves, changed in the middle, and go, one after the other. Somebody has kept
 * a token of the beginning.
 */
export async function twoPools(world: World, desk: Desk): Promise<void> {
  const isDone = (version: string, name: string, replicas: number) =>
    isAt(world, version, name) && poolIn(world, name)?.status?.replicas === replicas
  await world.client.create(ConfigMap, { metadata: { namespace: 'clusters', name: 'own' }, ...config('data:,a') })
  await ask(world, { spec: { config: [{ name: 'own' }] } })
  await ask(world, { name: 'stay', spec: { replicas: 2, management: { upgradeType: 'InPlace', autoRepair: false } } })
  await world.until(() => isDone('4.19.6', 'workers', 3) && isDone('4.19.6', 'stay', 2), { within: '2h' })
  const former = questionFor(world, hashIn(world))
  await controlPlaneLeavesFor(world, '4.20.1')
  for (const name of ['workers', 'stay']) await upgrade(world, '4.20.1', name)
  // They wait for it: API servers of the former version may still run.
  await world.sleep('3m')
  await controlPlaneAt(world, '4.20.1')
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
  await world.sleep('2h10m')
  assert.notEqual((await desk.fetch(former, new AbortController().signal)).status, 200, 'a token of the beginning is good for nothing')
  assert.deepEqual(desk.letInTooLate, [])
  assert.deepEqual(secretsIn(world), [...current].toSorted(), 'what nobody wants any more has gone when its time had come')
  await world.client.delete(NodePool, poolRef('workers'))
  await world.until(() => poolIn(world) === undefined, { within: '2h' })
  await world.settled({ within: '2h' })
  const left = [
    capi.MachineDeployment,
    capi.MachineSet,
    capi.Machine,
    capi.MachineHealthCheck,
    KubevirtMachineTemplate,
  ] as readonly Resource[]
  assert.deepEqual([left.map((kind) => world.state.count(kind)), nodesIn(world).length, secretsIn(world)], [[0, 0, 0, 0, 0], 0, []])
}
