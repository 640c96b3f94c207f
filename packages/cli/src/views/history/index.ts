/** The version history of a hosted cluster on both of its sides: `history.ts` says what it is, `lines.ts` how it reads. */
export { historyOf, type HistoryView, type SideView, type UpdateView } from './history.ts'
export { historyLines } from './lines.ts'
