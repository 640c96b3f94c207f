/**
 * A whole server for tests: in process, in memory, in virtual time, the same every time.
 *
 * - `test-server.ts`: starts one. `await using server = await startTestServer()` also stops it, and fails the test if the server met
 *   a problem it did not expect.
 * - `client.ts`: sends requests as values, as a user. `inbox.ts`: where the events of a watch arrive, read or unread.
 * - `mortal-store.ts`: a store that dies after so many writes, to see what the next server makes of what is left.
 * - `logical-clusters.ts`: the same with logical clusters in it.
 * - `until.ts`: the little that real time is needed for.
 * - `definitions.ts`: CustomResourceDefinitions of the group `test.windlass.dev`. `objects.ts`: objects, whole and valid.
 */
export { Client, type Answer, type Seen } from './client.ts'
export { aDefinition, gadgets, logicalClusters, widgets } from './definitions.ts'
export { Inbox, type SeenEvent } from './inbox.ts'
export { createCluster, inCluster, startWithClusters } from './logical-clusters.ts'
export { MortalStore } from './mortal-store.ts'
export { aConfigMap, aLogicalCluster, anEvent, aNamespace, aWidget, ownedBy, urls } from './objects.ts'
export { until } from './until.ts'
export { admin, startTestServer, type TestServer, type TestServerOptions, userNamed } from './test-server.ts'
