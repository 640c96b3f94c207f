import type { Duration } from '@windlass/core'
import { drawn, type Pace, paceOf, type PaceOptions, type Spread } from '../profile/index.ts'

const seconds = 1000

/** What takes time on the way from a machine of a classic cluster to its node, and back; and how much of it on an ordinary day. */
export const usualMachineApiDurations = {
  /** The provider makes the machine. */
  provision: { median: 40 * seconds, spread: 0.2 },
  /** It starts, gets its configuration, starts again, and its node is there. */
  boot: { median: 150 * seconds, spread: 0.2 },
  /** The node is ready. */
  kubelet: { median: 30 * seconds, spread: 0.3 },
  /** Its Pods are asked to go; it takes at least this long. */
  drain: { median: 10 * seconds, spread: 0.3 },
  /** The provider deletes the machine. */
  removal: { median: 40 * seconds, spread: 0.3 },
} as const satisfies Readonly<Record<string, Spread>>

export type MachineApiStep = keyof typeof usualMachineApiDurations

/** How the machines of a simulated classic cluster behave. */
export type MachineApiOptions = PaceOptions<MachineApiStep>

export type Settings = Pace<MachineApiStep>

/** Errors: as those of `paceOf`. */
export function machineApiSettings(options: MachineApiOptions): Settings {
  return paceOf(usualMachineApiDurations, options)
}

/** How long a step takes for the machine of that name. */
export function takes(settings: Settings, step: MachineApiStep, identity: string, slowness = 1): Duration {
  return drawn(settings, settings.durations[step], `machine-api/${step}/${identity}`) * slowness
}
