/**
 * Rows of the table of clusters: `filter.ts` says which, `order.ts` in what order, `arrange.ts` does both and knows when an order is out of date.
 */
export { arrange, movesIn } from './arrange.ts'
export { matcherOf } from './filter.ts'
export { comparisonOf } from './order.ts'
