import type { ControlPlaneComponent, HostedControlPlane, KubernetesObject, Resource } from '@windlass/api'
import { aControlPlaneComponent, aHostedControlPlane } from '@windlass/api/fixtures'
import type { ControlPlaneRelease, Facts } from '../control-plane.ts'
import type { LiveNamespace } from '../manifest.ts'
import type { Observed } from '../observed.ts'
import { payloadImages } from '../payload-images.ts'
import { registry } from '../registry.ts'
import type { Registry } from '../registry-of.ts'

/** A namespace that holds these objects, and whose API server knows every kind but those named. */
export function aNamespaceWith(objects: readonly KubernetesObject[], unserved: readonly string[] = []): LiveNamespace {
  const of = <T extends KubernetesObject>(kind: Resource<T>): readonly T[] =>
    objects.filter((object): object is T => object.kind === kind.kind && object.apiVersion === kind.apiVersion)
  return {
    find: (kind, name) => of(kind).find((object) => object.metadata.name === name),
    list: (kind, label, value) => of(kind).filter((object) => object.metadata.labels?.[label] === value),
    serves: (kind) => !unserved.includes(kind.kind),
  }
}

export function imageAt(version: string, name: string): string {
  return `example.com/ocp/${name}:${version}`
}

export function aRelease(version = '4.19.6', without: readonly string[] = []): ControlPlaneRelease {
  const names = payloadImages.filter((name) => !without.includes(name))
  return { version, images: new Map(names.map((name) => [name, imageAt(version, name)])) }
}

export const noFacts: Facts = { secrets: new Map(), configMaps: new Map(), routes: new Set() }

/** Facts of a namespace with these Secrets. */
export function withSecrets(...names: readonly string[]): Facts {
  return { ...noFacts, secrets: new Map(names.map((name) => [name, `hash of ${name}`])) }
}

export interface ObservationOptions {
  readonly hcp?: HostedControlPlane
  readonly version?: string
  readonly release?: ControlPlaneRelease
  readonly facts?: Facts
  readonly registry?: Registry
  readonly components?: readonly ControlPlaneComponent[] | Error
  /** What there is besides the components. */
  readonly objects?: readonly KubernetesObject[]
  readonly unserved?: readonly string[]
}

/** What a pass over `aHostedControlPlane` sees: nothing has been made yet unless told. */
export function anObservation(options: ObservationOptions = {}): Observed {
  const { components = [], objects = [], unserved = [] } = options
  return {
    hcp: options.hcp ?? aHostedControlPlane(),
    release: options.release ?? aRelease(options.version),
    facts: options.facts ?? noFacts,
    registry: options.registry ?? registry,
    components,
    namespace: aNamespaceWith([...objects, ...(components instanceof Error ? [] : components)], unserved),
  }
}

/** Components that have finished rolling out this version. */
export function doneAt(version: string, ...names: readonly string[]): readonly ControlPlaneComponent[] {
  return names.map((name) => aControlPlaneComponent({ name, version }))
}
