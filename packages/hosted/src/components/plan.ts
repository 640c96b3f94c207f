import type { Action } from '@windlass/kube'
import type { Component } from './component.ts'
import type { ComponentResource } from './status.ts'
import type { Workload } from './workload.ts'

/** A kubeconfig for an account of the guest: it takes a signature, which is nothing that can be decided. */
export interface KubeconfigRequest {
  /** Where it goes. */
  readonly secret: string
  /** The service account of the guest that it is for. */
  readonly namespace: string
  readonly name: string
}

/** What is to be done about a component in this pass. */
export type ComponentPlan = FailPlan | RemovePlan | WaitPlan | ApplyPlan

/** It cannot be told what to do. Nothing is touched, not even the ControlPlaneComponent. */
export interface FailPlan {
  readonly step: 'fail'
  readonly component: Component
  readonly error: Error
}

/** The component does not run in this control plane: all of it goes, the ControlPlaneComponent last. */
export interface RemovePlan {
  readonly step: 'remove'
  readonly component: Component
  readonly actions: readonly Action[]
}

/** Dependencies are not ready: nothing but the status is written. */
export interface WaitPlan {
  readonly step: 'wait'
  readonly component: Component
  /** Sorted. */
  readonly unavailable: readonly string[]
  readonly resources: readonly ComponentResource[]
}

export interface ApplyPlan {
  readonly step: 'apply'
  readonly component: Component
  /** Set when the manifests cannot be made: then there is nothing to carry out, not even a workload, and the status says why. */
  readonly error: Error | undefined
  /** In order, before the workload: pods may need what is in them. */
  readonly manifests: readonly Action[]
  /** To be signed after the manifests and before the workload. */
  readonly kubeconfigs: readonly KubeconfigRequest[]
  readonly workload: WorkloadStep | undefined
  readonly resources: readonly ComponentResource[]
  /** Images that the payload does not have. */
  readonly missingImages: readonly string[]
}

export type WorkloadStep =
  | { readonly do: 'create' | 'update'; readonly actions: readonly Action[] }
  /** Nothing is to be written: the status is judged from what was observed. */
  | { readonly do: 'leave'; readonly live: Workload }
  /** It is being deleted, whoever wanted that, and is made anew once it is gone. Until then there is none. */
  | { readonly do: 'await' }
  /** A Job that goes, to be made anew. Until then there is none. */
  | { readonly do: 'delete'; readonly actions: readonly Action[]; readonly because: string }
