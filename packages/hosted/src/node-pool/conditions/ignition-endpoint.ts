import type { Seen } from '../seen.ts'
import { ignitionCASecret } from '../wire.ts'
import { after, fails, type Outcome, quietly, removed } from './outcome.ts'

/** How long a name takes to get around. */
const untilNameIsKnown = 10_000

/** The condition is there only while something is missing. */
export function isIgnitionEndpointAvailable({ pool, cluster, namespace, ignitionCA, isIgnitionHostKnown }: Seen): Outcome {
  const endpoint = cluster.status?.ignitionEndpoint ?? ''
  if (endpoint === '') {
    return fails('IgnitionEndpointMissing', 'Ignition endpoint not available, waiting', quietly('the ignition endpoint of its cluster'))
  }
  const place = `Secret ${namespace}/${ignitionCASecret}`
  if (ignitionCA === undefined) {
    return fails('IgnitionCACertMissing', 'still waiting for ignition CA cert Secret to exist', quietly(place))
  }
  if (ignitionCA.data?.['tls.crt'] === undefined) {
    return fails('IgnitionCACertMissing', 'CA Secret is missing tls.crt key', quietly(`the key tls.crt of ${place}`))
  }
  if (pool.spec.platform.type === 'Azure' && !isIgnitionHostKnown) {
    const message = `the host of the ignition endpoint ${endpoint} cannot be resolved yet`
    return fails('ExternalDNSHostNotReachable', message, after(untilNameIsKnown, `the name ${endpoint} to be known`))
  }
  return removed
}
