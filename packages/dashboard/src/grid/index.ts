/** Tables of any length: `window.ts` says which rows are drawn and where keys lead. */
export { drawnRows, moveBy, offsetShowing, visibleRows } from './window.ts'
export type { RowRange, Viewport } from './window.ts'
