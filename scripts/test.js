/** `npm test`: unit tests in a process for each core, then the suites that own servers, one process each. `npm test unit` or `e2e` runs one half. */
import './require-node.js'

const { runTests } = await import('./test/run.ts')
process.exitCode = await runTests(process.argv.slice(2))
