import { capi, HostedControlPlane, type Resource, Route } from '@windlass/api'
import { discoverTemplateKinds } from '@windlass/hosted'
import { type AnyController, type Client, isUnknownKind } from '@windlass/kube'
import {
  controlPlaneControllers,
  type FetchIgnition,
  httpsIgnition,
  machineControllers,
  type ReleaseLookup,
  workloadControllers,
} from '@windlass/simulator'

export interface SimulatorOptions {
  readonly client: Client
  readonly seed: string
  readonly speed: number
  readonly releases: ReleaseLookup
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** How machines fetch their configuration; by the names that they are given unless told. */
  readonly fetchIgnition?: FetchIgnition
}

/** Everything that a cluster has and a laptop has not; guests only where there are control planes to have some, and machines where there is Cluster API. */
export async function simulatorControllers(options: SimulatorOptions): Promise<readonly AnyController[]> {
  const { client, seed, speed, releases, connect, fetchIgnition = httpsIgnition() } = options
  const kinds: readonly Resource[] = [Route, HostedControlPlane, capi.Machine]
  const [routes, hosts, clusterApi] = await Promise.all(kinds.map((kind) => serves(client, kind)))
  const templates = clusterApi === true ? await discoverTemplateKinds(client) : []
  return [
    ...workloadControllers({ seed, speed, routes: routes === true }),
    ...(hosts === true ? controlPlaneControllers({ seed, speed, releases, connect }) : []),
    ...(clusterApi === true ? machineControllers({ seed, speed, connect, fetchIgnition, templates }) : []),
  ]
}

async function serves(client: Client, kind: Resource): Promise<boolean> {
  try {
    for await (const _ of client.pages(kind, { pageSize: 1 })) break
    return true
  } catch (error) {
    if (isUnknownKind(error)) return false
    throw error
  }
}
