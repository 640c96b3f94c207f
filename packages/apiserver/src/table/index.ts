/**
 * Objects in the forms that clients may ask for instead of the objects themselves.
 *
 * - `table.ts`: rows and columns, as `kubectl get` prints them; `columns.ts` knows the columns of a type, `path-cell.ts` what a JSON
 *   path finds, `age.ts` how long ago something was.
 * - `partial.ts`: metadata alone.
 * - `json-path.ts` (read by `json-path-parser.ts`): the dialect of JSON paths in CustomResourceDefinitions, compiled once.
 */
export { ageOf, ageText } from './age.ts'
export { compilePath, isPath } from './json-path.ts'
export type { FindValues } from './json-path.ts'
export { JsonPathError } from './json-path-parser.ts'
export { partialList, partialObject } from './partial.ts'
export { objectTable, parseIncludeObject, tableColumns, tableOf, tableRow, watchTables } from './table.ts'
export type { IncludeObject, MetaVersion, TableOptions } from './table.ts'
