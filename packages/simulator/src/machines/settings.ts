import type { Resource } from '@windlass/api'
import type { Duration } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { drawn, type Pace, paceOf, type PaceOptions, type Spread } from '../profile/index.ts'
import type { FetchIgnition } from './ignition/index.ts'

const seconds = 1000

/** What takes time on the way from a machine that is asked for to a node, and back; and how much of it on an ordinary day. */
export const usualMachineDurations = {
  /** The provider makes the machine. */
  infrastructure: { median: 10 * seconds, spread: 0.15 },
  /** From the configuration that it got to its Node. */
  boot: { median: 15 * seconds, spread: 0.15 },
  /** Its kubelet becomes ready. */
  kubelet: { median: 5 * seconds, spread: 0.15 },
  /** Its Pods are asked to go; it takes at least this long. */
  drain: { median: 5 * seconds, spread: 0.15 },
  /** The provider deletes the machine. */
  removal: { median: 5 * seconds, spread: 0.15 },
  /** A daemon changes a node that stays, and restarts it. */
  apply: { median: 20 * seconds, spread: 0.15 },
} as const satisfies Readonly<Record<string, Spread>>

export type MachineStep = keyof typeof usualMachineDurations

/** How simulated machines behave. */
export interface MachineOptions extends PaceOptions<MachineStep> {
  /** From the kubeconfig of a guest, in which Nodes appear, to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** How a machine that starts fetches its configuration: `httpsIgnition` in real life. */
  readonly fetchIgnition: FetchIgnition
  /** Kinds of machine templates: nothing can be made from one that is not there. None is looked for unless told. */
  readonly templates?: readonly Resource[]
  /** Of these kinds of templates, those whose machines are objects of the provider's as well (a KubevirtMachine of each KubevirtMachineTemplate); none unless told. */
  readonly infrastructure?: readonly Resource[]
  /** More machines than this the provider does not make; any number unless told. */
  readonly maxMachines?: number
}

/** The same, spelled out. */
export type Settings = Required<MachineOptions> & Pace<MachineStep>

/** Errors: as those of `paceOf`. */
export function machineSettings(options: MachineOptions): Settings {
  const { templates = [], infrastructure = [], maxMachines = Number.POSITIVE_INFINITY } = options
  return { ...options, templates, infrastructure, maxMachines, ...paceOf(usualMachineDurations, options) }
}

/** How long a step takes for the machine of that name. */
export function takes(settings: Settings, step: MachineStep, identity: string, slowness = 1): Duration {
  return drawn(settings, settings.durations[step], `machine/${step}/${identity}`) * slowness
}
