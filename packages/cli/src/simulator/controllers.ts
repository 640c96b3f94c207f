import { HostedControlPlane, type Resource, Route } from '@windlass/api'
import { type AnyController, type Client, isUnknownKind } from '@windlass/kube'
import { controlPlaneControllers, type ReleaseLookup, workloadControllers } from '@windlass/simulator'

export interface SimulatorOptions {
  readonly client: Client
  readonly seed: string
  readonly speed: number
  readonly releases: ReleaseLookup
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
}

/** Everything that a cluster has and a laptop has not; guests only where there are control planes to have some. */
export async function simulatorControllers(options: SimulatorOptions): Promise<readonly AnyController[]> {
  const { client, seed, speed, releases, connect } = options
  const [routes, hosts] = await Promise.all([Route, HostedControlPlane].map((kind) => serves(client, kind)))
  return [
    ...workloadControllers({ seed, speed, routes: routes === true }),
    ...(hosts === true ? controlPlaneControllers({ seed, speed, releases, connect }) : []),
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
