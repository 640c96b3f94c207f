import { allKinds, HostedCluster, HostedControlPlane, type JsonObject, type Resource, toCrd } from '@windlass/api'
import { catalogueResolver, hostedControllers, logicalClusterGuests, optionalKinds, sampleCatalogue, servedKinds } from '@windlass/hosted'
import type { AnyController } from '@windlass/kube'
import { operator, type ProcessContext, type Simulation, type World } from '@windlass/kube/simulation'
import { controlPlaneControllers, workloadControllers } from '@windlass/simulator'
import { fleetNamespace } from '../fleet-objects.ts'
import { fleetStory } from '../fleet-story.ts'
import { makeFleet } from '../make-fleet.ts'
import { type SampleCluster, sampleFleet } from '../sample-fleet.ts'
import { sampleReleases } from '../sample-releases.ts'

const catalogue = sampleCatalogue()
const resolver = catalogueResolver(catalogue)
export const releases = sampleReleases(catalogue)

/** All kinds that `windlass up` serves. */
export const definitions = allKinds.map((kind) => toCrd(kind))

function isServed({ apiVersion, plural }: Resource): boolean {
  return allKinds.some((kind) => kind.apiVersion === apiVersion && kind.plural === plural)
}

function ours({ connect }: ProcessContext): readonly AnyController[] {
  return hostedControllers({
    releases: resolver,
    guests: logicalClusterGuests({ template: 'root' }),
    connect,
    served: servedKinds(optionalKinds.filter(isServed)),
    management: {
      isMonitored: false,
      ingressDomain: 'apps.windlass.test',
      clusterNetworks: [],
      serviceNetworks: [],
      apiServers: [],
      hasOpenShiftDns: false,
      aws: { region: undefined, hasCredentials: false },
      enforcesSequentialMinors: false,
    },
    resolveName: () => Promise.resolve(),
  })
}

/** What a laptop lacks, and what people do. */
function theRest({ connect }: ProcessContext): readonly AnyController[] {
  return [...workloadControllers({ seed: 1 }), ...controlPlaneControllers({ seed: 1, releases: resolver, connect }), fleetStory]
}

/** A world in which our controllers run in one process and the simulator in another. */
export function aLaptop(seed: number, world: Simulation['world'], options: Partial<Simulation> = {}): Simulation {
  return {
    seed,
    definitions,
    controllers: ours,
    programs: { simulator: operator({ controllers: theRest }) },
    limit: '96h',
    world,
    ...options,
  }
}

/** Asks for the first clusters of the sample fleet. */
export function makeFirst(world: World, size: number): Promise<boolean> {
  return makeFleet(world.client, sampleFleet(size), releases, new AbortController().signal)
}

/** Asks for one with nothing special about it. */
export async function ask(world: World, cluster: SampleCluster): Promise<void> {
  await makeFleet(world.client, [cluster], releases, new AbortController().signal)
}

export const ofName = (name: string) => ({ namespace: fleetNamespace, name })

export function clusterOf(world: World, name: string): HostedCluster | undefined {
  return world.state.get(HostedCluster, ofName(name))
}

export function controlPlaneOf(world: World, name: string): HostedControlPlane | undefined {
  return world.state.get(HostedControlPlane, { namespace: `${fleetNamespace}-${name}`, name })
}

/** `Completed 4.19.6`, newest first: of the management side and of the guest. */
export function historiesOf(world: World, name: string): { readonly management: readonly string[]; readonly guest: readonly string[] } {
  const { controlPlaneVersion, version } = clusterOf(world, name)?.status ?? {}
  const entries = (history: readonly { readonly state: string; readonly version?: string }[] | undefined) =>
    (history ?? []).map((entry) => `${entry.state} ${entry.version ?? ''}`)
  return { management: entries(controlPlaneVersion?.history), guest: entries(version?.history) }
}

export function isAt(world: World, name: string, version: string): boolean {
  const { management, guest } = historiesOf(world, name)
  return management[0] === `Completed ${version}` && guest[0] === `Completed ${version}`
}

export function change(world: World, name: string, patch: JsonObject): Promise<HostedCluster> {
  return world.client.patch(HostedCluster, ofName(name), patch)
}

export function upgrade(world: World, name: string, version: string): Promise<HostedCluster> {
  return change(world, name, { spec: { release: { image: releases.pullspec(version) } } })
}
