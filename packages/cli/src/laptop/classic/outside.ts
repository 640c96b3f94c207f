import type { Clock, Random } from '@windlass/core'
import { type Client, HttpsTransport, type Log } from '@windlass/kube'
import { monitoringTransport } from '@windlass/simulator'
import { createOutside, type OpenOutside } from '@windlass/upgrades'
import { version } from '../../version.ts'

export interface OutsideParts {
  /** Of the classic cluster. */
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Where its monitoring would be. Nothing listens there, and nobody has to vouch for it: requests are answered in this process. */
const endpoints = {
  'openshift-monitoring/prometheus-k8s': 'http://prometheus-k8s.openshift-monitoring.svc',
  'openshift-monitoring/alertmanager-main': 'http://alertmanager-main.openshift-monitoring.svc',
} as const

const simulated: ReadonlySet<string> = new Set(Object.values(endpoints))

/** Whom upgrades talk to besides the API: a simulated monitoring, and everybody else, if people configure somebody, over the network. */
export function classicOutside(parts: OutsideParts): OpenOutside {
  return createOutside({
    ...parts,
    userAgent: `windlass/${version}`,
    endpoints,
    connect: (options) =>
      simulated.has(options.server) ? monitoringTransport({ ...parts, host: new URL(options.server).host }) : new HttpsTransport(options),
  })
}
