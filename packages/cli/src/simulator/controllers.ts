import { capi, HostedControlPlane, type Resource, Route } from '@windlass/api'
import { discoverTemplateKinds } from '@windlass/hosted'
import { type AnyController, type Client, isUnknownKind } from '@windlass/kube'
import {
  controlPlaneControllers,
  type FetchIgnition,
  httpsIgnition,
  machineControllers,
  machineKindOf,
  realMachineManagers,
  type ReleaseLookup,
  workloadControllers,
} from '@windlass/simulator'
import { Failure } from '../failures.ts'

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
  if (clusterApi === true) await refuseBesideRealOnes(client)
  const templates = clusterApi === true ? await discoverTemplateKinds(client) : []
  const infrastructure: Resource[] = []
  for (const template of templates) if (await serves(client, machineKindOf(template))) infrastructure.push(template)
  return [
    ...workloadControllers({ seed, speed, routes: routes === true }),
    ...(hosts === true ? controlPlaneControllers({ seed, speed, releases, connect }) : []),
    ...(clusterApi === true ? machineControllers({ seed, speed, connect, fetchIgnition, templates, infrastructure }) : []),
  ]
}

/** Errors: a `Failure` where Cluster API runs in earnest. Simulated machines would be its machines, too. */
async function refuseBesideRealOnes(client: Client): Promise<void> {
  const leases = await realMachineManagers(client)
  if (leases.length === 0) return
  throw new Failure(
    `this cluster has managers of Cluster API, by their Leases ${leases.join(', ')}: machines are not simulated beside real ones. Choose another cluster, or delete these Leases if the managers are gone`,
  )
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
