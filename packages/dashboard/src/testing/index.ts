/**
 * A scripted fleet, and a server that answers for it as the real one does: for tests of the page in a browser, and for benchmarks.
 *
 * - `sample.ts`: a small fleet with everything in it. `many.ts`: one of any size. `rows.ts`: how a row is written.
 * - `clusters.ts`, `components.ts`, `upgrades.ts`, `why.ts`, `exposure.ts`, `figures.ts`: the answers.
 * - `server.ts`, `streams.ts`, `files.ts`: the server.
 */
export { manyRows } from './many.ts'
export { aRow } from './rows.ts'
export type { RowText } from './rows.ts'
export { sampleRows } from './sample.ts'
export { scriptedCode, ScriptedServer, scriptedToken } from './server.ts'
export type { ScriptedServerOptions } from './server.ts'
export { minutesAgo } from './time.ts'
export { upgradeOf } from './upgrades.ts'
export { whyOf } from './why.ts'
