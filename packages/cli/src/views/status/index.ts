/**
 * How an update goes, for people: how far it is, when it will be done, what is wrong.
 *
 * - `view.ts`: what there is to say, as a value. `standalone.ts` makes it from insights, `hosted/` from a hosted cluster; with them go `versions.ts`,
 *   `times.ts` (`durations.ts`, `usual.ts`, `learned.ts`), `operators.ts`, `pools.ts`, `nodes.ts` and `health.ts`.
 * - `lines/`: how it reads. `details.ts`: how much of it. `verdict.ts`: whether somebody should look.
 * - `reading.ts`, `hosted/reading.ts`: which objects that takes. `objects.ts`: where nobody keeps insights.
 *
 * Everything but those three is pure. `golden/` holds whole situations: objects, and what is said about them.
 */
export { detailChoices, type Details, parseDetails } from './details.ts'
export { hostedStatus } from './hosted/index.ts'
export { type Layout, progressBar, statusLines } from './lines/index.ts'
export { readStandalone } from './reading.ts'
export { standaloneStatus } from './standalone.ts'
export { needsAttention } from './verdict.ts'
export type { StatusView } from './view.ts'
