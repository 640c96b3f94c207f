import { describe, it } from 'node:test'
import { allNew, assertSameEnd, mostReady } from '../packages/kube/src/simulation/testing/convergence.ts'

describe('Determinism rule: a thousand objects, two processes, all faults', () => {
  it('end in the same state for 300 seeds, with nothing lost and nothing doubled', () => assertSameEnd(300, mostReady))

  it('do so for 20 seeds when every object is new', () => assertSameEnd(20, allNew))
})
