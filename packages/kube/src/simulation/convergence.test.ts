import { describe, it } from 'node:test'
import { assertRepeatable } from './repeatable.ts'
import { allNew, assertConverged, assertSameEnd, convergence, mostReady } from './testing/convergence.ts'

// `npm run soak toolkit` takes three hundred seeds.
describe('Determinism rule: a thousand objects, two processes, all faults', () => {
  it('end in the same state for every seed, with nothing lost and nothing doubled', () => assertSameEnd(10, mostReady))

  it('write the same twice, and end in the same state with ties broken in another order', async () => {
    assertConverged(await assertRepeatable(convergence(4711, allNew)))
  })
})
