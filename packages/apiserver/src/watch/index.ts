/**
 * Who hears of which change.
 *
 * - `watch.ts`: one watch from its request to its end: the present state, what was missed, what comes.
 * - `hub.ts`: hands every committed change to the watchers of its resource. `watcher.ts`: one of them, with its bookmarks and limits.
 * - `event.ts`: a change on its way, worked out once for all. `encoder.ts`: its line, in the form a client asked for.
 * - `sink.ts`: where lines go.
 */
export { eventEncoder } from './encoder.ts'
export type { EventEncoder, Shape } from './encoder.ts'
export { WatchHub } from './hub.ts'
export type { WatchSink } from './sink.ts'
export { watch } from './watch.ts'
export type { WatchRequest } from './watch.ts'
