/** Refuses to run on a Node that cannot run TypeScript as it is. */
const wanted = 24
const actual = process.versions.node

if (Number(actual.split('.')[0]) < wanted) {
  process.stderr.write(
    `windlass: needs Node ${wanted} or newer, and this is ${actual}: run it through npm in the project's folder (npm start, npx windlass), ` +
      `where npm ci installs Node ${wanted} on Linux; elsewhere install Node ${wanted}\n`,
  )
  process.exit(1)
}
