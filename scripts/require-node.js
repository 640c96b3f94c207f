/**
 * Refuses to run on a Node that cannot run TypeScript as it is. Plain JavaScript, so that an old Node reads it at all.
 */
const wanted = 24
const actual = process.versions.node

if (Number(actual.split('.')[0]) < wanted) {
  process.stderr.write(
    `Windlass needs Node ${wanted} or newer; this is ${actual}.\n` +
      `  Run it through npm (npm start, npm test, npx windlass): npm ci installs Node ${wanted} on Linux.\n` +
      `  Elsewhere install Node ${wanted}.\n`,
  )
  process.exit(1)
}
