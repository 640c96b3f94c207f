import type { HostedControlPlane } from '@windlass/api'
import type { Component } from './component.ts'
import { annotationOf, controlPlaneImageOf, machinePlatformOf } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import { ManifestError } from './errors.ts'
import { imageOverridesOf } from './image-overrides.ts'
import { templateNamed } from './templates/index.ts'

/** Platforms whose machine provider is not named after them in the payload. */
const providers: Readonly<Record<string, string>> = { PowerVS: 'ibmcloud' }

/** Names of images that mean another one from one control plane to the next. */
function payloadName(image: string, hcp: HostedControlPlane): string {
  if (image !== 'capi-provider') return image
  const platform = machinePlatformOf(hcp)
  return `${providers[platform] ?? platform.toLowerCase()}-cluster-api-controllers`
}

/** What an image of the payload is in this control plane: what was put in its place, else what the release has. */
export function payloadImageOf(name: string, { hcp, release }: ControlPlane): string | undefined {
  return imageOverridesOf(hcp).images.get(name) ?? release.images.get(name)
}

/**
 * The image of a container: the one that an annotation names for it, else that of the payload, else the name as it is: it may be a pullspec already.
 *
 * The cluster version operator is in every release, namely the release image itself, but not every payload says so.
 *
 * # Errors
 *
 * A `ManifestError` when it cannot be told what takes the place of images of the payload. Of a control plane that belongs to a cluster, the cluster
 * says so before (`ValidConfiguration`), and the control plane never hears of it.
 */
export function imageOf(component: Component, container: string, image: string, controlPlane: ControlPlane): string {
  const { hcp } = controlPlane
  const { problem } = imageOverridesOf(hcp)
  if (problem !== undefined) throw new ManifestError(component.name, problem)
  const named = namedImage(component, container, hcp)
  if (named !== undefined) return named
  const name = payloadName(image, hcp)
  const found = payloadImageOf(name, controlPlane)
  if (found !== undefined) return found
  return name === 'cluster-version-operator' ? controlPlaneImageOf(hcp) : name
}

/** The image that an annotation of the control plane names. */
function namedImage(component: Component, container: string, hcp: HostedControlPlane): string | undefined {
  const annotation = templateNamed(component.template).containers?.[container]?.imageAnnotation
  if (annotation === undefined) return undefined
  const named = annotationOf(hcp, typeof annotation === 'string' ? annotation : annotation(hcp))
  return named === '' ? undefined : named
}

/** A mutable tag must be asked for each time. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  return image.endsWith(':latest') ? 'Always' : 'IfNotPresent'
}

/** Names of images that the component wants and the payload does not have; they are what `ValidReleaseInfo` is about. */
export function missingImagesOf(component: Component, controlPlane: ControlPlane): readonly string[] {
  const { hcp } = controlPlane
  const wanted = Object.entries({ ...component.initImages, ...component.images })
    .filter(([container]) => namedImage(component, container, hcp) === undefined)
    .map(([, image]) => payloadName(image, hcp))
  const operands = typeof component.operands === 'function' ? component.operands(hcp).map(({ image }) => image) : []
  return [...new Set([...wanted, ...operands])]
    .filter((name) => payloadImageOf(name, controlPlane) === undefined && name !== 'cluster-version-operator' && !isPullspec(name))
    .toSorted()
}

function isPullspec(image: string): boolean {
  return /[/:@]/.test(image)
}
