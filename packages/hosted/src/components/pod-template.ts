import type { Container, HostedControlPlane, PodTemplate } from '@windlass/api'
import { isEtcd } from './component.ts'
import type { Component } from './component.ts'
import { annotationOf, controlPlaneImageOf, namespaceOf } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import { ManifestError } from './errors.ts'
import { imageOf, pullPolicyOf } from './images.ts'
import { requestOverridesOf, resourcesOf } from './resources.ts'
import type { RequestOverrides } from './resources.ts'
import { affinityOf, tolerationsOf } from './scheduling.ts'
import { templateNamed } from './templates/index.ts'
import { configHashOf, mountsOf, volumesOf } from './volumes.ts'
import { Annotation, Label, PriorityClass } from './wire.ts'

/** What the pods of one component are told apart by. Never changes: selectors cannot. */
export function selectorOf(component: Component): Readonly<Record<string, string>> {
  return { [Label.component]: component.name }
}

/** The service account that the pods run as. */
export function serviceAccountOf(component: Component): string {
  return templateNamed(component.template).serviceAccount ?? component.template
}

/** The component talks to the API of the management cluster; only then do its pods get a token for it. */
export function needsManagementApi(component: Component): boolean {
  const { role, serviceAccount } = templateNamed(component.template)
  return role !== undefined || serviceAccount !== undefined
}

export function priorityClassOf(component: Component, hcp: HostedControlPlane): string {
  const [usual, annotation] = isEtcd(component.name)
    ? [PriorityClass.etcd, Annotation.etcdPriority]
    : component.isApiCritical
      ? [PriorityClass.apiCritical, Annotation.apiCriticalPriority]
      : [PriorityClass.controlPlane, Annotation.controlPlanePriority]
  const named = annotationOf(hcp, annotation) ?? ''
  return named === '' ? usual : named
}

/**
 * The pods of a component.
 *
 * `live` is what runs now: what its containers ask for is kept. `isSpread` says that there is more than one replica to keep apart.
 *
 * # Errors
 *
 * A `ManifestError` when a container has no image.
 */
export function podTemplateOf(
  component: Component,
  controlPlane: ControlPlane,
  live: PodTemplate | undefined,
  isSpread: boolean,
): PodTemplate {
  const { hcp } = controlPlane
  const { nodeSelector = {} } = hcp.spec
  const overrides = requestOverridesOf(hcp, component.name)
  const [main] = Object.keys(component.images)
  const container =
    (running: readonly Container[]) =>
    ([name, image]: readonly [string, string]) =>
      containerOf(component, controlPlane, { name, image, isMain: name === main }, running, overrides)
  const initContainers = Object.entries(component.initImages).map(container(live?.spec.initContainers ?? []))
  return {
    metadata: { labels: labelsOf(component, hcp), annotations: annotationsOf(component, controlPlane) },
    spec: {
      ...(initContainers.length === 0 ? {} : { initContainers }),
      containers: Object.entries(component.images).map(container(live?.spec.containers ?? [])),
      volumes: volumesOf(component, hcp),
      serviceAccountName: serviceAccountOf(component),
      automountServiceAccountToken: needsManagementApi(component),
      priorityClassName: priorityClassOf(component, hcp),
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
      tolerations: tolerationsOf(component, hcp),
      affinity: affinityOf(component, hcp, isSpread),
    },
  }
}

/** Labels of the cluster's owner cannot take the place of ours: selectors depend on them. */
function labelsOf(component: Component, hcp: HostedControlPlane): Readonly<Record<string, string>> {
  return {
    ...hcp.spec.labels,
    app: component.name,
    ...selectorOf(component),
    [Label.hostedControlPlane]: namespaceOf(hcp),
    ...(needsManagementApi(component) ? { [Label.needsManagementApi]: 'true' } : {}),
    ...(component.isRequestServing ? { [Label.requestServing]: 'true' } : {}),
  }
}

function annotationsOf(component: Component, controlPlane: ControlPlane): Readonly<Record<string, string>> {
  const { hcp } = controlPlane
  const restartDate = annotationOf(hcp, Annotation.restartDate)
  return {
    [Annotation.releaseImage]: controlPlaneImageOf(hcp),
    [Annotation.configHash]: configHashOf(component, controlPlane),
    ...(restartDate === undefined ? {} : { [Annotation.restartDate]: restartDate }),
  }
}

function containerOf(
  component: Component,
  controlPlane: ControlPlane,
  { name, image: wanted, isMain }: { readonly name: string; readonly image: string; readonly isMain: boolean },
  running: readonly Container[],
  overrides: RequestOverrides,
): Container {
  const { resources, ports, live, ready } = templateNamed(component.template).containers?.[name] ?? {}
  const image = imageOf(component, name, wanted, controlPlane)
  if (image === '') throw new ManifestError(component.name, `container ${name} has no image; name one of the payload or a pullspec`)
  return {
    name,
    image,
    imagePullPolicy: pullPolicyOf(image),
    ...(ports === undefined
      ? {}
      : { ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort, protocol: 'TCP' })) }),
    resources: resourcesOf(name, resources, running, overrides),
    volumeMounts: mountsOf(component, controlPlane.hcp, isMain),
    ...(live === undefined ? {} : { livenessProbe: live }),
    ...(ready === undefined ? {} : { readinessProbe: ready }),
    securityContext: { readOnlyRootFilesystem: true },
  }
}
