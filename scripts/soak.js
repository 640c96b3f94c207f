/** `npm run soak`: the simulations of the tests, with many more seeds. Takes hours; `npm run soak toolkit` runs one of them. */
import './require-node.js'

const { runSoaks } = await import('./test/soak.ts')
process.exitCode = await runSoaks(process.argv.slice(2))
