import { Deployment } from '@windlass/api'
import type { Component, Operand } from './component.ts'
import type { ControlPlane } from './control-plane.ts'
import { payloadImageOf } from './images.ts'
import type { LiveNamespace } from './manifest.ts'
import { isDeploymentReady } from './workload-status.ts'
import { Annotation, Label } from './wire.ts'

/**
 * What keeps a component from having rolled out though its own workload has: Deployments that it makes by itself and that are missing, run another
 * release or are not ready. Sorted as the component lists them.
 */
export function operandProblems(component: Component, controlPlane: ControlPlane, namespace: LiveNamespace): readonly string[] {
  const { hcp, release } = controlPlane
  const { operands, name } = component
  if (operands === undefined) return []
  if (operands === 'labelled')
    return namespace.list(Deployment, Label.managedBy, name).flatMap((deployment) => problemsOfVersion(deployment, release.version))
  return operands(hcp).flatMap((operand) =>
    problemsOfImage(operand, namespace.find(Deployment, operand.deployment), payloadImageOf(operand.image, controlPlane)),
  )
}

function problemsOfVersion(deployment: Deployment, wanted: string): readonly string[] {
  const name = deployment.metadata.name ?? ''
  if (deployment.metadata.deletionTimestamp !== undefined) return [`deployment ${name} is being deleted`]
  const version = deployment.metadata.annotations?.[Annotation.releaseVersion]
  if (version === undefined) return [`deployment ${name} does not have the annotation ${Annotation.releaseVersion}`]
  if (version !== wanted) return [`deployment ${name} has version ${version}, expected ${wanted}`]
  return isDeploymentReady(deployment) ? [] : [`deployment ${name} is not ready`]
}

function problemsOfImage(
  { deployment: name, container, image }: Operand,
  deployment: Deployment | undefined,
  wanted?: string,
): readonly string[] {
  if (deployment === undefined) return [`deployment ${name} not found`]
  if (deployment.metadata.deletionTimestamp !== undefined) return [`deployment ${name} is being deleted`]
  const running = deployment.spec.template.spec.containers.find((candidate) => candidate.name === container)
  return [
    ...(wanted === undefined
      ? [`the release has no image ${image} for deployment ${name}`]
      : running === undefined
        ? [`deployment ${name} has no container ${container}`]
        : running.image === wanted
          ? []
          : [`container ${container} in deployment ${name} is not using the expected image ${wanted}`]),
    ...(isDeploymentReady(deployment) ? [] : [`deployment ${name} is not ready`]),
  ]
}
