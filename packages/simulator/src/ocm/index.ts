/**
 * OCM, and its agent in a cluster, as small servers: clusters, upgrade policies and their states, service logs. They follow the published API as far as
 * upgrades use it, go wrong when told to, and remember everything that they were asked and told.
 *
 *   const ocm = new SimulatedOcm({ clock })
 *   ocm.memory.register({ id: 'c1', externalId, token, version: '4.18.15' })
 *   ocm.memory.schedule({ id: 'p1', clusterId: 'c1', version: '4.18.16', nextRun: '2030-01-01T12:00:00Z' })
 *   const { url } = await serveOcm({ ocm, clock })
 *   ocm.fail({ is: 'status', status: 503, times: 2 })
 *
 * - `memory.ts`: what OCM remembers. `service.ts`, `agent.ts`: what the two answer; `policies.ts` has what they share. `wire.ts`: the words.
 * - `faults.ts`: what can be made to go wrong. `simulated-ocm.ts`: all of it as one thing.
 * - `serve.ts`: on a socket. `transport.ts`: in the same process, in virtual time.
 */
export type { OcmFault } from './faults.ts'
export type { OcmCluster, OcmMemory, OcmPolicy, PolicyState, PolicyValue, StoredLog, Told } from './memory.ts'
export { type RunningOcm, serveOcm, type ServeOcmOptions } from './serve.ts'
export { type RecordedRequest, SimulatedOcm } from './simulated-ocm.ts'
export { ocmTransport } from './transport.ts'
