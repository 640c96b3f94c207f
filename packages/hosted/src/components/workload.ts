import { CronJob, Deployment, Job, StatefulSet } from '@windlass/api'
import type { HostedControlPlane, KubernetesObject, ObjectMeta, PodTemplate, Resource } from '@windlass/api'
import { isEtcd } from './component.ts'
import type { Component } from './component.ts'
import { annotationOf, hasDedicatedTopology, isHighlyAvailable, namespaceOf } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import { hashOf } from './hash.ts'
import { podTemplateOf, selectorOf } from './pod-template.ts'
import { templateNamed } from './templates/index.ts'
import { Annotation, Label, managedByUs } from './wire.ts'

export type Workload = Deployment | StatefulSet | Job | CronJob

const kinds = { Deployment, StatefulSet, Job, CronJob } as const

/** The kind of a component's workload, as the API calls it. */
export function workloadKindOf(component: Component): Resource<Workload> {
  return kinds[component.workload]
}

/** Whether an object is a workload, by its kind. */
export function isWorkload(object: KubernetesObject | undefined): object is Workload {
  return object !== undefined && Object.hasOwn(kinds, object.kind)
}

export function podTemplateIn(workload: Workload): PodTemplate {
  return workload.kind === 'CronJob' ? workload.spec.jobTemplate.spec.template : workload.spec.template
}

/** How many pods a component has when nobody debugs it. */
export function usualReplicasOf(component: Component, hcp: HostedControlPlane): number {
  if (component.replicas !== undefined) return component.replicas(hcp)
  if (!isHighlyAvailable(hcp)) return 1
  if (component.isRequestServing && hasDedicatedTopology(hcp)) return 2
  return isEtcd(component.name) || component.isApiCritical ? 3 : 2
}

/** None while somebody runs the component elsewhere to find out what is wrong with it. */
export function replicasOf(component: Component, hcp: HostedControlPlane): number {
  const debugged = (annotationOf(hcp, Annotation.debugDeployments) ?? '').split(',').map((name) => name.trim())
  return debugged.includes(component.name) ? 0 : usualReplicasOf(component, hcp)
}

/**
 * Three replicas are spread over three zones: there is no room for a fourth, so one has to go first. Two make room for a third, unless they have
 * their own nodes. A single one keeps what the API server chooses.
 */
export function strategyOf(component: Component, replicas: number): Deployment['spec']['strategy'] {
  if (replicas <= 1) return undefined
  const rollingUpdate =
    replicas > 2 ? { maxSurge: 0, maxUnavailable: 1 } : { maxSurge: 1, maxUnavailable: component.isRequestServing ? 1 : 0 }
  return { type: 'RollingUpdate', rollingUpdate }
}

/**
 * The workload of a component as it should be. `metadata` is what all objects of the component have in common.
 *
 * # Errors
 *
 * A `ManifestError` when it cannot be made.
 */
export function workloadOf(component: Component, controlPlane: ControlPlane, metadata: ObjectMeta, live: Workload | undefined): Workload {
  const { hcp } = controlPlane
  const isSpread = templateNamed(component.template).isSpread === true && usualReplicasOf(component, hcp) > 1
  const template = podTemplateOf(component, controlPlane, live === undefined ? undefined : podTemplateIn(live), isSpread)
  const labelled = { ...metadata, name: component.name, labels: { ...metadata.labels, [Label.managedBy]: managedByUs } }
  return builders[component.workload](component, hcp, labelled, template)
}

type Builder = (component: Component, hcp: HostedControlPlane, metadata: ObjectMeta, template: PodTemplate) => Workload

const builders: Readonly<Record<Component['workload'], Builder>> = {
  Deployment: (component, hcp, metadata, template) => {
    const replicas = replicasOf(component, hcp)
    const strategy = strategyOf(component, replicas)
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas,
        revisionHistoryLimit: 2,
        ...(strategy === undefined ? {} : { strategy }),
        selector: { matchLabels: selectorOf(component) },
        template,
      },
    }
  },

  StatefulSet: (component, hcp, metadata, template) => {
    const { storage } = templateNamed(component.template)
    return {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        replicas: replicasOf(component, hcp),
        revisionHistoryLimit: 2,
        serviceName: storage?.service(component.name) ?? component.name,
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate' },
        selector: { matchLabels: selectorOf(component) },
        template,
        ...(storage === undefined ? {} : { volumeClaimTemplates: [claimOf(storage.volume, hcp)] }),
      },
    }
  },

  Job: (_component, _hcp, metadata, template) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { backoffLimit: 4, template: once(template) },
  }),

  CronJob: (component, hcp, metadata, template) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: scheduleOf(templateNamed(component.template).everyMinutes ?? 60, namespaceOf(hcp)),
      concurrencyPolicy: 'Replace',
      jobTemplate: { spec: { template: once(template) } },
    },
  }),
}

/** A pod that fails is replaced by another one, so that its log can still be read. */
function once(template: PodTemplate): PodTemplate {
  return { ...template, spec: { ...template.spec, restartPolicy: 'Never' } }
}

/** Each namespace has its own minute: thousands of control planes must not start their jobs at once. */
function scheduleOf(everyMinutes: number, namespace: string): string {
  const offset = Number.parseInt(hashOf(namespace).slice(0, 8), 16) % everyMinutes
  return everyMinutes < 60 ? `${offset}-59/${everyMinutes} * * * *` : `${offset} * * * *`
}

function claimOf(volume: string, hcp: HostedControlPlane): NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number] {
  const { size = '8Gi', storageClassName } = hcp.spec.etcd.managed?.storage.persistentVolume ?? {}
  return {
    metadata: { name: volume },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(storageClassName === undefined ? {} : { storageClassName }),
      resources: { requests: { storage: String(size) } },
    },
  }
}
