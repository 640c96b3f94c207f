/**
 * What was written, by whom, and what came of it.
 *
 * - `recorded-store.ts`: knows who wrote what. `write.ts`: one write. `write-log.ts`: all of them, and their hash.
 * - `state.ts`: what the server holds, read without requests. `stored-object.ts`: one object of it.
 * - `final-state.ts`: where a run ended, whichever way it took. `normal-form.ts`: what that means for one object.
 */
export { finalState, hashOf } from './final-state.ts'
export { isTrack } from './normal-form.ts'
export { RecordedStore } from './recorded-store.ts'
export { type InCluster, type StateReader, StoredState } from './state.ts'
export { Write } from './write.ts'
export { firstDifference, WriteLog } from './write-log.ts'
