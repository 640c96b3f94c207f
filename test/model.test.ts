import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Model } from './model/model.ts'
import { checkWatch, compact, reads, restart } from './model/reads.ts'
import { type Engine, Real } from './model/real.ts'
import { type Command, writes } from './model/writes.ts'

const seed = Number(process.env['MODEL_SEED'] ?? 1)
/** Longer runs: `MODEL_RUNS=5000 node --test test/model.test.ts`. */
const runs = Number(process.env['MODEL_RUNS'] ?? 150)

/** Two writes to each read: something has to happen before there is something to see. */
const usual = [...writes, ...writes, ...reads, compact]

const engines: readonly { readonly engine: Engine; readonly share: number; readonly commands: readonly fc.Arbitrary<Command>[] }[] = [
  { engine: 'memory', share: 0.8, commands: usual },
  { engine: 'lmdb', share: 0.1, commands: [...usual, restart, restart] },
  { engine: 'sqlite', share: 0.1, commands: [...usual, restart, restart] },
]

/**
 * Any sequence of requests must do to the server what it does to a model of a few lines. When one does not, fast-check looks for
 * the shortest that still does not, and prints it with what to pass as MODEL_SEED to see it again.
 */
describe('the server does what its model does', () => {
  for (const { engine, share, commands } of engines) {
    it(`on ${engine}, whatever is asked of it`, async () => {
      const sequences = fc.commands([...commands], { maxCommands: 80, size: 'max' })
      const property = fc.asyncProperty(sequences, async (sequence) => {
        const real = await Real.start(engine)
        const model = new Model(real.revision)
        try {
          await fc.asyncModelRun(() => ({ model, real }), sequence)
          for (const watch of model.watches) await checkWatch(model, watch)
          assert.deepEqual(real.problems, [])
        } finally {
          for (const { inbox } of model.watches) inbox.leave()
          await real.close()
        }
      })
      await fc.assert(property, { seed, numRuns: Math.max(1, Math.round(runs * share)) })
    })
  }
})
