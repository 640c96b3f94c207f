import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, Secret } from '@windlass/api'
import { parseTime } from '@windlass/core'
import type { World } from '@windlass/kube/simulation'
import { decoded } from '../token/index.ts'
import { Annotation } from '../wire.ts'
import {
  ask,
  change,
  controlPlaneAt,
  hashIn,
  home,
  installed,
  isAt,
  machinesIn,
  poolIn,
  questionWith,
  said,
  secretsIn,
  tell,
  upgrade,
} from './world.ts'

const tokenSecret = (world: World, hash: string): Secret | undefined =>
  world.state.get(Secret, { namespace: home, name: `token-workers-${hash}` })

const tokenIn = (world: World, hash: string): string => decoded(tokenSecret(world, hash) ?? assert.fail('it is not there'), 'token') ?? ''

const never = new AbortController().signal

describe('tokens of a pool', () => {
  it('NP-41 are replaced after five and a half hours; the old one stays good, and machines start with the new one', async () => {
    await tell(async (world, desk) => {
      await installed(world)
      const [hash, first] = [hashIn(world), tokenIn(world, hashIn(world))]
      const born = parseTime(tokenSecret(world, hash)?.metadata.annotations?.[Annotation.tokenGenerated]) ?? 0
      await world.until(() => tokenIn(world, hash) !== first, { within: '6h', every: '1m' })
      const age = world.clock.now() - born
      assert.ok(age >= 5.5 * 3_600_000 && age <= 5.5 * 3_600_000 + 62_000, String(age))
      await world.sleep('10s')
      const second = tokenIn(world, hash)
      for (const token of [first, second]) assert.equal((await desk.fetch(questionWith(token, hash), never)).status, 200)
      const userData = world.state.get(Secret, { namespace: home, name: `user-data-workers-${hash}` }) ?? assert.fail()
      assert.ok(decoded(userData, 'value')?.includes(Buffer.from(second).toString('base64')))
      await change(world, { replicas: 4 })
      await world.until(() => poolIn(world)?.status?.replicas === 4, { within: '10m' })
      assert.equal(machinesIn(world).length, 4, 'no machine is made anew for it')
    })
  })

  it('NP-42 are made again when somebody has deleted them, and no machine is', async () => {
    await tell(async (world, desk) => {
      await installed(world)
      const [hash, token] = [hashIn(world), tokenIn(world, hashIn(world))]
      const machines = machinesIn(world).map(({ metadata }) => metadata.uid)
      await world.client.delete(Secret, { namespace: home, name: `token-workers-${hash}` })
      await world.settled({ within: '10m' })
      assert.notEqual(tokenIn(world, hash), token)
      assert.equal(said(world, 'ReachedIgnitionEndpoint'), 'False/ignitionNotReached')
      assert.equal((await desk.fetch(questionWith(token, hash), never)).status, 511)
      assert.deepEqual(
        machinesIn(world).map(({ metadata }) => metadata.uid),
        machines,
      )
      await change(world, { replicas: 4 })
      await world.until(() => said(world, 'ReachedIgnitionEndpoint') === 'True/AsExpected', { within: '10m' })
    })
  })

  it('of a configuration that was wanted for a while go too, with what machines would have started with', async () => {
    await tell(async (world) => {
      await installed(world)
      await controlPlaneAt(world, '4.20.1')
      await upgrade(world, '4.20.0')
      await world.until(() => machinesIn(world).some(({ spec }) => spec.version === '4.20.0'), { within: '10m' })
      await upgrade(world, '4.20.1')
      await world.until(() => isAt(world, '4.20.1'), { within: '30m' })
      await world.settled({ within: '10m' })
      assert.equal(secretsIn(world).filter((name) => name.startsWith('user-data')).length, 1)
      const tokens = world.state.list(Secret, { namespace: home }).filter(({ metadata }) => metadata.name?.startsWith('token-'))
      const marked = tokens.filter(({ metadata }) => metadata.annotations?.[Annotation.tokenExpires] !== undefined)
      assert.deepEqual([tokens.length, marked.length], [3, 2])
      assert.ok(world.state.count(capi.MachineSet) <= 2)
    })
  })

  it('NP-43 say why no payload can be made for them, and the pool says it too', async () => {
    const generate = () => Promise.reject(new Error('the image is missing'))
    const { writes } = await tell(
      async (world) => {
        await ask(world)
        await world.until(() => said(world, 'ValidGeneratedPayload') === 'False/InvalidConfig', { within: '5m' })
        await world.sleep('30m')
        assert.equal(said(world, 'ReachedIgnitionEndpoint'), 'False/ignitionNotReached')
        assert.ok(machinesIn(world).every(({ status }) => status?.nodeRef === undefined))
      },
      { pools: { generate } },
    )
    assert.equal(
      writes.filter((write) => write.as(Secret) !== undefined && write.name.startsWith('token-') && write.verb === 'update').length,
      1,
    )
  })
})
