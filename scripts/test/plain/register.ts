/**
 * Preloaded by soaks: lets `tests.ts` stand in for `node:test`.
 *
 * The real one follows every promise, so as to know which test it belongs to. That is a quarter of the time of a simulation, and a soak has hundreds of them.
 */
import { registerHooks } from 'node:module'

const standIn = new URL('tests.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => (specifier === 'node:test' ? { url: standIn, shortCircuit: true } : next(specifier, context)),
})
