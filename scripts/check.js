/** `npm run check`: everything that can be said about the code without running it. */
import './require-node.js'

const { runChecks } = await import('./check/run.ts')
process.exitCode = await runChecks()
