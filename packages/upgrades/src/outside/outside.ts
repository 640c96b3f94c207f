import type { Clock, Random } from '@windlass/core'
import type { Client, Environment, Log } from '@windlass/kube'
import { alertmanagerClient } from './alertmanager.ts'
import type { Whereabouts } from './cluster-services.ts'
import { dependencyChecks } from './dependencies.ts'
import { deploymentValidationClient } from './deployment-validation.ts'
import { ocmToken } from './ocm-credentials.ts'
import { ocmClient } from './ocm.ts'
import { prometheusClient } from './prometheus.ts'
import { releaseClient } from './releases.ts'
import type { Ocm, OcmAddress, Outside } from './types.ts'
import { type Connect, Ways } from './ways.ts'

export interface OutsideOptions extends Whereabouts {
  /** Of the cluster: it says where services are and what opens them. */
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** `managed-upgrade-operator/v1.2.3 (linux/amd64)` */
  readonly userAgent: string
  /** For proxies. Nobody here looks at the environment itself. */
  readonly env?: Environment
  /** Other ways than sockets, for simulations. */
  readonly connect?: Connect
}

/** The outside world, and the end of it. */
export interface OpenOutside extends Outside {
  close(): Promise<void>
}

/** Everything that upgrades talk to besides the Kubernetes API, over HTTP. Opens nothing before the first question. */
export function createOutside(options: OutsideOptions): OpenOutside {
  const { client, clock, random, log, userAgent, env = {}, connect, endpoints, usesRoutes } = options
  const ways = new Ways(clock, env, connect)
  const token = ocmToken(client, clock)
  const where = { ...(endpoints === undefined ? {} : { endpoints }), ...(usesRoutes === undefined ? {} : { usesRoutes }) }
  const monitoring = { client, clock, ways, where, userAgent }
  const clients = new Map<string, Ocm>()
  return {
    prometheus: prometheusClient(monitoring),
    alertmanager: alertmanagerClient(monitoring),
    ocm(address: OcmAddress) {
      const key = `${address.baseUrl} ${address.clusterId}`
      const ocm = clients.get(key) ?? ocmClient(address, { clock, random, log, ways, token, userAgent })
      clients.set(key, ocm)
      return ocm
    },
    dependencies: dependencyChecks({ clock, random, ways, userAgent }),
    releases: releaseClient({ client, ways, clock, userAgent }),
    deploymentValidation: deploymentValidationClient({ client, ways, where, token, userAgent }),
    close: () => ways.close(),
  }
}
