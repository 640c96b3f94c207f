import { ConfigMap, PodDisruptionBudget, Role, RoleBinding, Secret, Service, ServiceAccount, ServiceMonitor } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import type { Component } from './component.ts'
import { annotationOf, isGuestAvailable, isHighlyAvailable, namespaceOf, platformOf } from './control-plane.ts'
import type { Manifest, ManifestObject } from './manifest.ts'
import { selectorOf } from './pod-template.ts'
import { settingsOf } from './settings.ts'
import { templateNamed } from './templates/index.ts'
import type { ServiceTemplate, Template } from './templates/index.ts'
import { Annotation, pullSecret } from './wire.ts'

const rbac = 'rbac.authorization.k8s.io'

const made = new WeakMap<Component, readonly Manifest[]>()

/** The objects of a component besides its workload, in the order in which they are applied. */
export function manifestsOf(component: Component): readonly Manifest[] {
  const known = made.get(component)
  if (known !== undefined) return known
  const manifests = manifestsFrom(component, templateNamed(component.template))
  made.set(component, manifests)
  return manifests
}

function manifestsFrom(component: Component, template: Template): readonly Manifest[] {
  return [
    ...accessOf(component, template),
    ...settingsManifest(template),
    ...ownSecretOf(template),
    ...(template.services ?? []).map((service) => serviceOf(component, service)),
    ...budgetOf(component, template),
    ...monitorOf(component, template),
  ]
}

type Declaration<T extends ManifestObject> = Pick<Manifest<T>, 'kind' | 'name' | 'build'> & Partial<Manifest<T>>

const manifest = <T extends ManifestObject>(declaration: Declaration<T>): Manifest<T> => ({
  isWanted: () => true,
  isDue: () => true,
  isShared: false,
  ...declaration,
})

/** A service account, and its rights in the management cluster if it has any. Shards of etcd use those of `etcd`. */
function accessOf(component: Component, template: Template): readonly Manifest[] {
  if (template.serviceAccount !== undefined) return []
  const name = component.template
  const isShared = name !== component.name
  const account = manifest<ServiceAccount>({
    kind: ServiceAccount,
    name,
    isShared,
    build: (_controlPlane, metadata) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { ...metadata, name },
      imagePullSecrets: [{ name: pullSecret }],
    }),
  })
  const { role: rules } = template
  if (rules === undefined) return [account]
  const role = manifest<Role>({
    kind: Role,
    name,
    isShared,
    build: (_controlPlane, metadata) => ({ apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { ...metadata, name }, rules }),
  })
  const binding = manifest<RoleBinding>({
    kind: RoleBinding,
    name,
    isShared,
    build: ({ hcp }, metadata) => ({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { ...metadata, name },
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: namespaceOf(hcp) }],
    }),
  })
  return [account, role, binding]
}

function settingsManifest({ settings }: Template): readonly Manifest[] {
  if (settings === undefined) return []
  const { configMap: name } = settings
  return [
    manifest<ConfigMap>({
      kind: ConfigMap,
      name,
      build: ({ hcp }, metadata) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ...metadata, name },
        data: settingsOf(settings, hcp),
      }),
    }),
  ]
}

function ownSecretOf({ ownSecret }: Template): readonly Manifest[] {
  if (ownSecret === undefined) return []
  const { name, keys } = ownSecret
  return [
    manifest<Secret>({
      kind: Secret,
      name,
      build: (_controlPlane, metadata, live) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { ...metadata, name },
        type: live?.type ?? 'Opaque',
        data: live?.data ?? Object.fromEntries(keys.map((key) => [key, ''])),
      }),
    }),
  ]
}

function serviceOf(component: Component, { name: named, ports, isHeadless, isForMonitoring }: ServiceTemplate): Manifest {
  const name = typeof named === 'string' ? named : named(component.name)
  return manifest<Service>({
    kind: Service,
    name,
    isWanted: isForMonitoring === true ? monitoringIsWanted : () => true,
    build: ({ hcp }, metadata) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name, labels: { app: component.name } },
      spec: {
        type: nodePortOf(name, hcp) === undefined ? 'ClusterIP' : 'NodePort',
        ...(isHeadless === true ? { clusterIP: 'None', publishNotReadyAddresses: true } : {}),
        selector: selectorOf(component),
        ports: Object.entries(ports).map(([port, { port: number, to }]) => ({
          name: port,
          port: number,
          targetPort: to,
          protocol: 'TCP',
          ...(port === 'https' ? nodePortOf(name, hcp) : {}),
        })),
      },
    }),
  })
}

/**
 * Nodes fetch their first configuration from outside. Where that goes through a port of other nodes, the Service before it has to be of that type; the port
 * is chosen by the cluster unless told.
 */
function nodePortOf(service: string, hcp: HostedControlPlane): { readonly nodePort?: number } | undefined {
  const strategy = hcp.spec.services.find((each) => each.service === 'Ignition')?.servicePublishingStrategy
  // IBM Cloud has no proxy before the server.
  const published = platformOf(hcp) === 'IBMCloud' ? 'ignition-server' : 'ignition-server-proxy'
  if (service !== published || strategy?.type !== 'NodePort') return undefined
  return strategy.nodePort?.port ? { nodePort: strategy.nodePort.port } : {}
}

/** A single replica may not be evicted while it is the only one; of several, one at a time. Those that are broken anyway may always go. */
function budgetOf(component: Component, { budget }: Template): readonly Manifest[] {
  if (budget === undefined) return []
  const name = budget(component.name)
  return [
    manifest<PodDisruptionBudget>({
      kind: PodDisruptionBudget,
      name,
      build: ({ hcp }, metadata) => ({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { ...metadata, name },
        spec: {
          selector: { matchLabels: selectorOf(component) },
          ...(isHighlyAvailable(hcp) ? { maxUnavailable: 1 } : { minAvailable: 1 }),
          unhealthyPodEvictionPolicy: 'AlwaysAllow',
        },
      }),
    }),
  ]
}

function monitorOf(component: Component, { metrics }: Template): readonly Manifest[] {
  if (metrics === undefined) return []
  const { name } = component
  const { port, scheme, canBeDisabled } = metrics
  return [
    manifest<ServiceMonitor>({
      kind: ServiceMonitor,
      name,
      isWanted: canBeDisabled === true ? monitoringIsWanted : () => true,
      isDue: isGuestAvailable,
      build: ({ hcp }, metadata) => ({
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'ServiceMonitor',
        metadata: { ...metadata, name },
        spec: {
          selector: { matchLabels: { app: name } },
          namespaceSelector: { matchNames: [namespaceOf(hcp)] },
          endpoints: [{ port, scheme, ...(scheme === 'https' ? { tlsConfig: { serverName: name } } : {}) }],
        },
      }),
    }),
  ]
}

function monitoringIsWanted(hcp: HostedControlPlane): boolean {
  return annotationOf(hcp, Annotation.disableMonitoringServices) === undefined
}
