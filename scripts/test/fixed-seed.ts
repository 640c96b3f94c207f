import { configureGlobal } from 'fast-check'

/**
 * Properties try the same values in every run: a test that fails says so to whoever broke it, not to whoever comes by. WINDLASS_SEED
 * sets another seed; `random` takes a new one each time, to look for what the usual one does not show.
 */
const given = process.env.WINDLASS_SEED

if (given !== 'random') configureGlobal({ seed: given === undefined ? 20_261_116 : Number(given) })
