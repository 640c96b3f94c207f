import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Lease } from '@windlass/api'
import type { AsyncControllerDefinition, ControllerDefinition } from '../../controller/index.ts'
import { create, done, event, plan } from '../../plan/index.ts'
import type { Simulation } from '../simulate.ts'
import { simulate } from '../simulate.ts'
import { widgetController } from '../testing/widget-controller.ts'
import { definitions, manyWidgets, Widget } from '../testing/widgets.ts'
import type { World } from '../world.ts'

const given = manyWidgets(5)
const base = { seed: 1, definitions, given, controllers: () => [widgetController] }
const isReady = ({ status }: Widget): boolean => status?.phase === 'Ready'
const untilReady = ({ state, until }: World): Promise<void> => until(() => state.list(Widget).every(isReady), { within: '10m' })
const holder = ({ state }: World): string | undefined => state.get(Lease, { namespace: 'default', name: 'operator' })?.spec?.holderIdentity

describe('Simulation boundary: an operator', () => {
  it('runs controllers as in production, in one process without an election', async () => {
    const { reconciles, requests, writes } = await simulate({ ...base, world: untilReady })
    assert.equal(writes.length, 15)
    assert.ok(reconciles >= 10 && requests >= 17)
  })

  it('in two processes elects a leader, and the other takes over when that one crashes', async () => {
    const holders: (string | undefined)[] = []
    const { exits } = await simulate({
      ...base,
      processes: 2,
      world: async (world) => {
        await untilReady(world)
        const [leader = ''] = holder(world)?.split('_') ?? []
        holders.push(holder(world))
        world.processes.get(leader)?.crash()
        await world.until(() => holder(world) !== holders[0], { within: '1m' })
        holders.push(holder(world))
        await world.client.patch(Widget, { namespace: 'default', name: 'w1' }, { spec: { replicas: 77 } })
        await world.until(() => world.state.get(Widget, { namespace: 'default', name: 'w1' })?.status?.replicas === 77, { within: '10s' })
      },
    })
    assert.deepEqual(
      holders.map((identity) => identity?.split('_')[1]),
      ['0', '0'],
    )
    assert.notEqual(holders[0], holders[1])
    assert.deepEqual(Object.values(exits).flat(), ['crashed'])
  })

  it('that cannot reach the API loses its leadership, ends and starts again', async () => {
    const { exits } = await simulate({
      ...base,
      processes: 2,
      world: async (world) => {
        await untilReady(world)
        const [leader = ''] = holder(world)?.split('_') ?? []
        world.processes.get(leader)?.cutOff(40_000, true)
        await world.sleep('2m')
        assert.notEqual(holder(world)?.split('_')[0], leader)
      },
    })
    assert.match(Object.values(exits).flat().join(), /^LeadershipLost: /)
  })

  it('that is asked to stop gives its lease up, so that the other leads at once', async () => {
    await simulate({
      ...base,
      processes: 2,
      world: async (world) => {
        await untilReady(world)
        const [leader = ''] = holder(world)?.split('_') ?? []
        world.processes.get(leader)?.stop()
        await world.sleep('5s')
        assert.notEqual(holder(world)?.split('_')[0] ?? leader, leader)
      },
    })
  })

  it('records events', async () => {
    const telling: ControllerDefinition<Widget, Widget> = {
      name: 'telling',
      for: Widget,
      observe: (ref, cache) => cache.get(Widget, ref),
      decide: (widget) => plan(event(widget, 'Normal', 'Seen', 'somebody looked at it')),
    }
    const { writes } = await simulate({ ...base, controllers: () => [telling], world: ({ sleep }) => sleep('1m') })
    assert.equal(writes.filter(({ key }) => key.includes('/events/')).length, 5)
  })
})

describe('Simulation boundary: the cause of a write', () => {
  const twice: AsyncControllerDefinition<Widget> = {
    name: 'twice',
    for: Widget,
    async reconcile({ namespace = '', name }, { client }) {
      const object = { metadata: { namespace, name: `${name}-a` } }
      await client.create(ConfigMap, object).catch(() => {})
      return name === 'w3' ? plan(create(ConfigMap, { metadata: { namespace, name: `${name}-b` } }, 'three is a lucky number')) : done
    },
  }
  const forbidding = (end: string): Simulation => ({
    ...base,
    controllers: () => [twice],
    invariants: [{ name: 'nothing is made', of: ConfigMap, holds: ({ name }) => !name.endsWith(end) || `${name} was made` }],
    world: ({ sleep }) => sleep('1m'),
  })

  it('is the plan of the pass that sent it', async () => {
    await assert.rejects(simulate(forbidding('-b')), {
      message:
        /because of: pass \S+ of twice over default\/w3, which planned to\n {4}create ConfigMap default\/w3-b, because three is a lucky number\n/,
    })
  })

  it('is the pass alone where it had no plan yet', async () => {
    await assert.rejects(simulate(forbidding('-a')), {
      message: /because of: pass \S+ of twice over default\/w\d, which had no plan yet\n/,
    })
  })
})
