import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'

export const deployFolder = join(import.meta.dirname, '../../deploy')

/** Bases that run something, with the account that it runs as. */
export const accounts = {
  hosted: 'windlass-hosted:windlass-hosted',
  'control-plane-version': 'windlass-versions:windlass-versions',
  insights: 'windlass-insights:windlass-insights',
  upgrades: 'openshift-managed-upgrade-operator:managed-upgrade-operator',
  fleet: 'windlass-fleet:windlass-fleet',
} as const

export type Base = keyof typeof accounts

/** What of an object of a base tests look at. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: unknown
  /** Of a ConfigMap. */
  readonly data?: Readonly<Record<string, string>>
  /** Of a role. */
  readonly rules?: readonly { readonly verbs: readonly string[] }[]
}

/** Every object that is written down in a folder. */
export function manifestsIn(folder: string): readonly Manifest[] {
  return readdirSync(join(deployFolder, folder))
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) => loadAll(readFileSync(join(deployFolder, folder, file), 'utf8')) as Manifest[])
}

interface PodSpec {
  readonly serviceAccountName: string
  readonly securityContext: object
  readonly topologySpreadConstraints: readonly object[]
  readonly affinity?: { readonly nodeAffinity: { readonly requiredDuringSchedulingIgnoredDuringExecution: NodeSelector } }
  readonly tolerations?: readonly { readonly key: string; readonly effect: string }[]
  readonly containers: readonly [Container]
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
}

interface NodeSelector {
  readonly nodeSelectorTerms: readonly { readonly matchExpressions: readonly { readonly key: string; readonly operator: string }[] }[]
}

interface Container {
  readonly image: string
  readonly args: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: object
  readonly resources: { readonly requests: object; readonly limits: object }
  readonly startupProbe: object
  readonly livenessProbe: object
  readonly readinessProbe: object
}

export interface Deployment {
  readonly replicas: number
  readonly template: { readonly spec: PodSpec }
}

/** How a base runs what it runs. */
export function deploymentOf(base: Base): Deployment {
  const found = manifestsIn(base).find(({ kind }) => kind === 'Deployment')
  if (found === undefined) throw new Error(`deploy/${base} has no Deployment`)
  return found.spec as Deployment
}
