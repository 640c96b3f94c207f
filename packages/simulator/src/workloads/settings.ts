import type { PlannedFailure } from '../failures/index.ts'
import { createProfile, type Profile, type ProfileOptions } from '../profile/index.ts'

/** How the workloads of a simulated cluster behave. */
export interface WorkloadOptions extends ProfileOptions {
  /** What goes wrong besides what annotations ask for. */
  readonly failures?: readonly PlannedFailure[]
  /** Where Pods run while the cluster has no Nodes; `virtual-node` unless told. There is no Node of this name. */
  readonly node?: string
  /** The names of load balancers and Routes end in it; `windlass.test` unless told. */
  readonly domain?: string
  /** Whether the server has Routes, which are no part of Kubernetes; it has unless told. */
  readonly routes?: boolean
}

/** The same, spelled out. */
export interface Settings {
  readonly profile: Profile
  readonly planned: readonly PlannedFailure[]
  readonly node: string
  readonly domain: string
}

export function settingsOf(options: WorkloadOptions): Settings {
  const { failures = [], node = 'virtual-node', domain = 'windlass.test' } = options
  return { profile: createProfile(options), planned: failures, node, domain }
}
