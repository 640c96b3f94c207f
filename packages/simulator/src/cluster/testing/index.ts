/** For tests: a cluster to simulate (`cluster.ts`), and what must be so of it after every write (`invariants.ts`). */
export { aRelease, definitions, given, looking, start, updates, versionName, versions } from './cluster.ts'
export { fewAreAway, inOrder, lawfulHistory, lawfulProgress, ofUpdates } from './invariants.ts'
