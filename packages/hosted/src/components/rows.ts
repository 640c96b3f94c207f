import type { Component, Predicate, Runner, WorkloadKind } from './component.ts'
import { never } from './predicates.ts'

/** What is not the same for most components. */
export interface Traits extends Partial<Omit<Component, 'name' | 'workload' | 'runBy' | 'dependsOn' | 'isEnabled' | 'images'>> {
  /** One image is for a container that is named after the component; unless told it has that name in the payload too. */
  readonly images?: string | Component['images']
}

/** One row of the registry: name, explicit dependencies, when it runs, and what is particular about it. */
type Row = (name: string, dependsOn: readonly string[], isEnabled: Predicate, traits?: Traits) => Component

const row =
  (workload: WorkloadKind, runBy: Runner): Row =>
  (name, dependsOn, isEnabled, { images = name, ...traits } = {}) => ({
    name,
    workload,
    runBy,
    dependsOn,
    isEnabled,
    isExempt: false,
    isRequestServing: false,
    isApiCritical: false,
    images: typeof images === 'string' ? { [name]: images } : images,
    initImages: {},
    operands: undefined,
    replicas: undefined,
    template: name,
    ...traits,
  })

export const deployment: Row = row('Deployment', 'hosted-control-plane')
export const statefulSet: Row = row('StatefulSet', 'hosted-control-plane')
export const job: Row = row('Job', 'hosted-control-plane')
export const cronJob: Row = row('CronJob', 'hosted-control-plane')
/** A Deployment that the controller of HostedClusters runs. */
export const operator: Row = row('Deployment', 'hosted-cluster')
/** A Deployment that karpenter-operator runs upstream. */
export const provisioner: Row = row('Deployment', 'karpenter-operator')

/** A component that this build no longer has. Its row stays: without one its ControlPlaneComponent would never reach another version. */
export function tombstone(name: string, workload: WorkloadKind = 'Deployment', runBy: Runner = 'hosted-control-plane'): Component {
  return row(workload, runBy)(name, [], never, { images: {} })
}
