import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ConfigMap } from '@windlass/api'
import { SimulationError } from './failure.ts'
import { forEachSeed } from './for-each-seed.ts'
import type { Program } from './process/index.ts'
import { assertRepeatable } from './repeatable.ts'
import { simulate } from './simulate.ts'
import { handWritten } from './testing/hand-written.ts'
import { definitions, manyWidgets, Widget } from './testing/widgets.ts'

const fewWidgets = manyWidgets(5)

/** Breaks down for good when it is not answered, and makes a note of it: a bug that needs one kind of fault. */
const fragile: Program = async ({ client, clock }) => {
  for (let round = 0; ; round++) {
    try {
      await client.patch(Widget, { namespace: 'default', name: 'w0' }, { spec: { replicas: round } })
    } catch (error) {
      if (error instanceof Error && error.name === 'ConnectionError') {
        await client.create(ConfigMap, { metadata: { namespace: 'default', name: `broken-${round}` } })
      }
    }
    await clock.sleep(1000)
  }
}

describe('seeds', () => {
  const names = ['WINDLASS_SEED', 'WINDLASS_SEEDS']
  let given: readonly (string | undefined)[] = []
  beforeEach(() => {
    given = names.map((name) => process.env[name])
    for (const name of names) delete process.env[name]
  })
  afterEach(() => {
    for (const [index, name] of names.entries()) {
      const value = given[index]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  const seedsOf = async (count: number, from?: number): Promise<readonly number[]> => {
    const seen: number[] = []
    await forEachSeed({ count, ...(from === undefined ? {} : { from }) }, (number) => Promise.resolve(seen.push(number)))
    return seen
  }

  it('are a fixed set, unless more or one alone are asked for', async () => {
    assert.deepEqual(await seedsOf(3), [1, 2, 3])
    assert.deepEqual(await seedsOf(2, 10), [10, 11])
    process.env.WINDLASS_SEEDS = '5'
    assert.deepEqual(await seedsOf(2), [1, 2, 3, 4, 5])
    process.env.WINDLASS_SEEDS = '251-253'
    assert.deepEqual(await seedsOf(2), [251, 252, 253])
    process.env.WINDLASS_SEEDS = '3-'
    await assert.rejects(seedsOf(2), { message: 'WINDLASS_SEEDS is "3-": expected a whole number' })
    process.env.WINDLASS_SEEDS = '5'
    process.env.WINDLASS_SEED = '77'
    assert.deepEqual(await seedsOf(2), [77])
    process.env.WINDLASS_SEED = 'random'
    assert.equal((await seedsOf(2)).length, 5)
    process.env.WINDLASS_SEED = '7x'
    await assert.rejects(seedsOf(2), { message: 'WINDLASS_SEED is "7x": expected a whole number' })
  })

  it('that fail say which kinds of faults they need', async () => {
    const run = (seed: number): Promise<unknown> =>
      simulate({
        seed,
        definitions,
        given: fewWidgets,
        programs: { fragile },
        faults: { latency: [1, 20], lostAnswers: 0.05, conflicts: 0.1, crashes: '30s', clockJumps: '20s' },
        invariants: [{ name: 'nothing is broken', of: ConfigMap, holds: ({ name }) => !name.startsWith('broken-') || name }],
        world: ({ sleep }) => sleep('4m'),
      })
    await assert.rejects(forEachSeed({ count: 20 }, run), (error) => {
      assert.ok(error instanceof SimulationError)
      assert.match(error.message, /it does not hold that nothing is broken/)
      assert.match(
        error.message,
        /again: WINDLASS_SEED=\d+ node --test --test-name-pattern='that fail say which kinds of faults they need' .*for-each-seed\.test\.ts/,
      )
      assert.match(error.message, /\n {2}it fails with these faults alone: lostAnswers$/)
      return true
    })
  })

  it('that fail whatever happens say so', async () => {
    const run = (seed: number): Promise<unknown> =>
      simulate({
        seed,
        definitions,
        given: fewWidgets,
        programs: { handWritten },
        faults: 'all',
        world: ({ until }) => until(() => false, { within: '5s' }),
      })
    await assert.rejects(forEachSeed({ count: 2 }, run), /\n {2}it fails without any fault$/)
  })

  it('whose runs are not simulations fail as they are', async () => {
    await assert.rejects(
      forEachSeed({ count: 2 }, () => Promise.reject(new TypeError('a bug in the test'))),
      { name: 'TypeError', message: 'a bug in the test' },
    )
  })
})

describe('Determinism rule: a simulation that is run again', () => {
  const world = { seed: 3, definitions, given: fewWidgets, calmAfter: '1m', faults: 'all' } as const

  it('ends in the same state with ties broken in another order', async () => {
    const { writes } = await assertRepeatable({ ...world, programs: { handWritten }, world: ({ settled }) => settled({ within: '1h' }) })
    assert.ok(writes.length >= 10)
  })

  it('is found out when it does not write the same', async () => {
    let runs = 0
    const moody: Program = async ({ client }) => {
      await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'mood' }, data: { runs: String(runs++) } })
      return new Promise(() => {})
    }
    await assert.rejects(
      assertRepeatable({ ...world, faults: 'none', programs: { moody }, world: ({ sleep }) => sleep('10s') }),
      (error) => {
        assert.ok(error instanceof SimulationError)
        assert.match(error.message, /^seed 3: two runs did not write the same\n {2}write 1 of 1 differs:\n.*"runs":"0".*\n.*"runs":"1"/)
        return true
      },
    )
  })

  it('is found out when the order of what happens at one instant decides', async () => {
    const racing: Program = async ({ name, client, clock }) => {
      await clock.sleep(1000)
      await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'winner' }, data: { is: name } }).catch(() => {})
      return new Promise(() => {})
    }
    const programs = Object.fromEntries(Array.from({ length: 6 }, (_, number) => [`racer-${number}`, racing]))
    const race = (seed: number): Promise<unknown> =>
      assertRepeatable({ ...world, seed, faults: 'none', programs, world: ({ sleep }) => sleep('10s') })
    await assert.rejects(forEachSeed({ count: 5 }, race), (error) => {
      assert.ok(error instanceof SimulationError)
      assert.match(
        error.message,
        /ends in another state when ties are broken in another order\n {2}root\/~\/configmaps\/default\/winner:\n/,
      )
      return true
    })
  })
})
