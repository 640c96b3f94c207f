import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Node } from '@windlass/api'
import { cached, type ControllerDefinition, plan } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { Gathering } from './gathering.ts'

const nodes = cached(Node)

/** Counts the looks that come of changes of nodes: each has one of its own, and all have one together. */
async function looks(script: (world: World, seen: (name: string) => number) => Promise<void>, speed = 1): Promise<void> {
  const counts = new Map<string, number>()
  const controller = (): ControllerDefinition<Node, string> => {
    const gathering = new Gathering({ speed })
    return {
      name: 'looks',
      // Its own changes are no reason to look.
      for: nodes,
      predicate: () => false,
      watches: [
        gathering.watching(
          nodes,
          ({ metadata: { name = '' } }) => [{ name }, { name: 'all' }],
          () => true,
        ),
      ],
      sources: [gathering.source],
      observe: ({ name }) => name,
      decide(name) {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return plan()
      },
    }
  }
  await simulate({
    seed: 1,
    controllers: () => [controller()],
    async world(world) {
      await world.sleep('1m')
      await script(world, (name) => counts.get(name) ?? 0)
    },
  })
}

const join = (world: World, name: string): Promise<unknown> => world.client.create(Node, { metadata: { name }, spec: {} })

describe('changes that are gathered', () => {
  it('are one look for each whom they concern, five seconds after the first of them', async () => {
    await looks(async (world, seen) => {
      await join(world, 'a')
      await world.sleep('2s')
      await join(world, 'b')
      await world.sleep('2s')
      assert.deepEqual([seen('a'), seen('b'), seen('all')], [0, 0, 0])
      await world.sleep('2s')
      assert.deepEqual([seen('a'), seen('b'), seen('all')], [1, 1, 1])
      await world.sleep('1h')
      assert.equal(seen('all'), 1)
      await join(world, 'c')
      await world.sleep('6s')
      assert.deepEqual([seen('a'), seen('c'), seen('all')], [1, 1, 2])
    })
  })

  it('do not wait for an end of changes', async () => {
    await looks(async (world, seen) => {
      for (let index = 0; index < 30; index++) {
        await join(world, `node-${index}`)
        await world.sleep('1s')
      }
      assert.ok(seen('all') >= 4 && seen('all') <= 6, `${seen('all')} looks in half a minute`)
    })
  })

  it('wait so much shorter where time goes faster', async () => {
    await looks(async (world, seen) => {
      await join(world, 'a')
      await world.sleep('1s')
      assert.equal(seen('all'), 1)
    }, 10)
  })
})
