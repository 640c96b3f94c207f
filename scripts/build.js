/** `npm run build`: makes the files of the web page. `npm ci` does it too, where what it takes is installed. */
import './require-node.js'

const { runBuild } = await import('./build/run.ts')
await runBuild({ isOptional: process.argv.includes('--if-possible') })
