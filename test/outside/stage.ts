import { startEmbedded } from '@windlass/apiserver'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { type Client, createClient, HttpsTransport, type Log, parseKubeconfig } from '@windlass/kube'
import { createOutside, type OpenOutside } from '@windlass/upgrades'
import { type CleanUps, type Monitoring, startMonitoring } from './monitoring.ts'

/** A cluster with real monitoring in it, and somebody who talks to it. */
export interface MonitoredCluster extends Monitoring {
  readonly outside: OpenOutside
  /** Everything that was logged. */
  readonly logged: readonly string[]
}

/** What is started is ended by `cleanUps`, the last first, whatever becomes of the rest. */
export async function startMonitoredCluster(folder: string, cleanUps: CleanUps): Promise<MonitoredCluster> {
  const server = await startEmbedded()
  cleanUps.push(() => server.close())
  const client = await clientFor(server.kubeconfig)
  cleanUps.push(() => client.close())
  const monitoring = await startMonitoring(folder, client, cleanUps)
  const logged: string[] = []
  const say = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: say, info: say, warn: say, error: say, child: () => log }
  const outside = createOutside({ client, clock, random, log, userAgent: 'test', endpoints: monitoring.endpoints })
  cleanUps.push(() => outside.close())
  return { ...monitoring, outside, logged }
}

export async function clientFor(kubeconfig: string): Promise<Client> {
  const parsed = parseKubeconfig(kubeconfig, { name: 'the test server', clock })
  const transport = new HttpsTransport(await parsed.access())
  return createClient({ transport, clock, random, userAgent: 'test', fieldManager: 'test' })
}
