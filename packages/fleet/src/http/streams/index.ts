/**
 * Live answers, as server-sent events.
 *
 * - `event-stream.ts`: one reader; who does not read is dropped. `open-streams.ts`: all of them, kept alive by one timer.
 * - `fleet-feed.ts`: the changes of a fleet with numbers, so that a reader who was cut off goes on where it was. `fleet-stream.ts`, `cluster-stream.ts`: what readers get.
 */
export { sendCluster } from './cluster-stream.ts'
export { EventStream } from './event-stream.ts'
export { FleetFeed } from './fleet-feed.ts'
export { numberFor, sendFleet } from './fleet-stream.ts'
export { OpenStreams } from './open-streams.ts'
