import type { HostedControlPlane, JsonObject, PolicyRule, ResourceRequirements } from '@windlass/api'

/**
 * What the pods of a component look like and what else is made for it, as data. Everything may be left out: most components are one
 * container that reads a kubeconfig.
 */
export interface Template {
  /** By container. One that is not here asks for little and listens on nothing. */
  readonly containers?: Readonly<Record<string, ContainerTemplate>>
  /** Secrets that are mounted, below `/etc/kubernetes/secrets`. */
  readonly secrets?: readonly Mount[]
  /** ConfigMaps that are mounted, below `/etc/kubernetes/config`. */
  readonly configMaps?: readonly string[]
  /** Directories that are there as long as the pod is. */
  readonly scratch?: readonly string[]
  readonly settings?: Settings
  /** The component talks to the management cluster, and may do this there. */
  readonly role?: readonly PolicyRule[]
  /** The service account that the pods run as, when it is another component's. */
  readonly serviceAccount?: string
  readonly services?: readonly ServiceTemplate[]
  /** The label `app` of Services that Prometheus scrapes, and the port. */
  readonly metrics?: MetricsTemplate
  /** Replicas are kept apart from each other, over zones and nodes. */
  readonly isSpread?: true
  /** The name of its PodDisruptionBudget, for those that have one. */
  readonly budget?: (name: string) => string
  readonly guestAccount?: GuestAccount
  /** A Secret that the component fills itself: its keys are made, what is in them is left alone. */
  readonly ownSecret?: { readonly name: string; readonly keys: readonly string[] }
  readonly storage?: StorageTemplate
  /** For CronJobs: once in so many minutes. */
  readonly everyMinutes?: number
}

export interface ContainerTemplate {
  readonly resources?: ResourceRequirements
  readonly ports?: Readonly<Record<string, number>>
  readonly live?: JsonObject
  readonly ready?: JsonObject
  /** An annotation of the control plane that names another image. */
  readonly imageAnnotation?: string | ((hcp: HostedControlPlane) => string)
}

export interface Mount {
  readonly volume: string
  readonly secret: string | ((hcp: HostedControlPlane) => string)
}

/** The ConfigMap with all that a component takes from the control plane. It is mounted too: when one of these changes the component rolls out. */
export interface Settings {
  readonly configMap: string
  /** Paths below `spec`. */
  readonly fields: readonly string[]
  readonly annotations: readonly string[]
}

export interface ServiceTemplate {
  readonly name: string | ((component: string) => string)
  readonly ports: Readonly<Record<string, { readonly port: number; readonly to: number | string }>>
  /** No address of its own: a name for each pod. */
  readonly isHeadless?: true
  /** Goes away with the annotation `disable-monitoring-services`. */
  readonly isForMonitoring?: true
}

export interface MetricsTemplate {
  readonly port: string
  readonly scheme: 'http' | 'https'
  /** Goes away with the annotation `disable-monitoring-services`. */
  readonly canBeDisabled?: true
}

/** The service account of the guest that a component acts as: it gets a kubeconfig with a certificate for it. */
export interface GuestAccount {
  readonly namespace: string
  readonly name: string
  readonly mountPath: string
}

/** A volume for each replica of a StatefulSet. */
export interface StorageTemplate {
  readonly volume: string
  readonly mountPath: string
  /** The Service that names the replicas. */
  readonly service: (component: string) => string
}
