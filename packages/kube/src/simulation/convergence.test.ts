import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forEachSeed } from './for-each-seed.ts'
import { assertRepeatable, differences } from './repeatable.ts'
import { simulate, type SimulationResult } from './simulate.ts'
import { assertConverged, convergence } from './testing/convergence.ts'

describe('Determinism rule: a thousand objects, two processes, all faults', () => {
  it('end in the same state for every seed, with nothing lost and nothing doubled', async () => {
    let first: SimulationResult | undefined
    await forEachSeed({ count: 10 }, async (seed) => {
      const result = await simulate(convergence(seed))
      assertConverged(result)
      first ??= result
      if (result.finalState !== first.finalState) assert.fail(`seed ${seed} ends elsewhere:\n${differences(first, result).join('\n')}`)
    })
  })

  it('write the same twice, and end in the same state with ties broken in another order', async () => {
    assertConverged(await assertRepeatable(convergence(4711)))
  })
})
