/**
 * The web page of Windlass: how it is built, and where its files are then. What it shows comes from the server of `fleet`, as the JSON of its contract.
 *
 * `../page` has what needs a browser. What does not is here, where it can be tested without one:
 * - `address/`: what a page shows is in its address. `words/`: how states, times and numbers are said.
 * - `clusters/`: filter and order of the table. `grid/`: tables of any length.
 * - `versions/`, `timeline/`, `graph/`: the three pictures. `exposure/`: fixed versions, and exports.
 * - `build/`: makes the files. `testing/`: a server with scripted answers, for tests and benchmarks.
 */
export { pageFolder } from './build/folder.ts'
