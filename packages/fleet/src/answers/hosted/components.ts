import type { ControlPlaneComponent, HostedCluster } from '@windlass/api'
import { type Blocker, findCondition, isFalse, rolloutBlockers } from '@windlass/core'
import { dependenciesAmong } from '@windlass/hosted'
import type { ComponentView, Progress } from '../../contract/index.ts'

/** What keeps the control plane from the release that it goes to, by name. Empty also while nobody knows which one that is. */
export function blockersOf({ status }: HostedCluster, components: readonly ControlPlaneComponent[]): readonly Blocker[] {
  const { desired, observedGeneration = 0 } = status?.controlPlaneVersion ?? {}
  if (desired === undefined) return []
  return rolloutBlockers(components, { version: desired.version, generation: observedGeneration })
}

/** Undefined where no component is known, or not where they go. */
export function progressOf(
  { status }: HostedCluster,
  components: readonly ControlPlaneComponent[],
  blockers: readonly Blocker[],
): Progress | undefined {
  let total = 0
  for (const { metadata } of components) if (metadata.deletionTimestamp === undefined) total++
  if (total === 0 || status?.controlPlaneVersion === undefined) return undefined
  return { done: total - blockers.length, total }
}

/** Where to look first: `kube-apiserver and 2 more: …`. Empty when no component is behind. */
export function waitsFor(blockers: readonly Blocker[]): string {
  const roots = blockers.filter(({ isRoot }) => isRoot)
  const named = roots.length === 0 ? blockers : roots
  const [first, ...others] = named
  if (first === undefined) return ''
  const rest = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first.name}${rest}: ${first.message === '' ? causes[first.cause] : first.message}`
}

const causes: Readonly<Record<Blocker['cause'], string>> = {
  VersionMismatch: 'it has not reported the version',
  RolloutIncomplete: 'its rollout is not complete',
  StaleGeneration: 'it has not taken up the last change',
  Missing: 'it is not there',
}

const failures: ReadonlySet<string> = new Set(['ReconciliationError', 'JobFailed'])

/** Every part of a hosted control plane, by name, with the edges of the graph that they make. */
export function componentViews(cluster: HostedCluster, components: readonly ControlPlaneComponent[]): readonly ComponentView[] {
  const present = components.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const edges = dependenciesAmong(new Set(present.map(({ metadata }) => metadata.name ?? '')))
  const blockers = new Map(blockersOf(cluster, present).map((blocker) => [blocker.name, blocker]))
  const isKnown = cluster.status?.controlPlaneVersion !== undefined
  return present
    .map((component): ComponentView => {
      const { name = '' } = component.metadata
      const rollout = findCondition(component.status?.conditions, 'RolloutComplete')
      const away = isFalse(component.status?.conditions, 'Available') ? findCondition(component.status?.conditions, 'Available') : undefined
      const state = isKnown ? stateOf(component, blockers.get(name)) : 'Unknown'
      const said = state === 'Done' ? away : rollout
      return {
        name,
        ...(component.status?.version === undefined ? {} : { version: component.status.version }),
        state,
        dependencies: edges.get(name) ?? [],
        ...(said === undefined || said.reason === '' ? {} : { reason: said.reason }),
        ...(said === undefined || said.message === '' ? {} : { message: said.message }),
      }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** It rolls when it says so and waits for nobody; it is behind when it has not noticed yet. */
function stateOf({ status }: ControlPlaneComponent, blocker: Blocker | undefined): ComponentView['state'] {
  if (blocker === undefined) return 'Done'
  const rollout = findCondition(status?.conditions, 'RolloutComplete')
  if (rollout?.status !== 'False') return 'Behind'
  if (failures.has(rollout.reason)) return 'Failing'
  return blocker.isRoot ? 'Rolling' : 'Waiting'
}
