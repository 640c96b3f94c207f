import type { KubernetesObject } from '@windlass/api'
import { type Duration, tryParseDuration } from '@windlass/core'
import { failureAnnotation } from '../failures/index.ts'
import { hash32 } from '../identity/index.ts'
import { hits } from './struck.ts'

/**
 * What can go wrong on purpose with machines. Asked for by the annotation `simulator.windlass.dev/fail` on a Machine, on the Node that it became, or on a
 * NodePool for all of its machines.
 *
 * | mode | what happens | when it is taken away |
 * |---|---|---|
 * | `infra-error` | the provider cannot make the machine, for `reason=` | it makes it |
 * | `quota` | of a pool, the provider makes `most=` machines and no more, none unless told; the others stay `Provisioning` | it makes them |
 * | `ignition-unreachable` | the machine never gets its configuration | it gets it |
 * | `kubelet-never-ready` | its Node is there and not ready | it is ready |
 * | `node-flap` | its Node is ready and not in turn, each for a minute or `period=` | it is ready |
 * | `node-unreachable` | nobody hears of its Node any more | it is ready |
 * | `instance-gone` | the same, and the provider says that the machine is gone | it is back |
 * | `node-deleted` | its Node is deleted, and does not come again | nothing |
 * | `slow` | all that has not happened yet takes ten times as long, or `factor=` times | the usual time counts |
 * | `drain-blocked` | its Pods do not go when it is deleted; time limits count | they go |
 * | `volume-stuck` | its volumes are not detached when it is deleted; time limits count | they are |
 * | `mcd-degraded` | the daemon that upgrades it in place fails, for `reason=` | it goes on |
 * | `mcd-stuck` | that daemon does nothing | it goes on |
 *
 * Of a pool, `chance=50%` of the machines are concerned, always the same ones; `version=4.20.1` limits it to machines that are to run that version;
 * `times=2` to the two that come to it first: those that replace them are spared. Which they were is written on the pool (`struck.ts`).
 *
 * What people do needs no injection: a budget that allows nothing, a quota for all pools together (`maxMachines`). Payloads are made by the operator and not here, so
 * none can be made to fail here. Lost requests, conflicts and errors of the API are the business of simulations in virtual time (`@windlass/kube/simulation`).
 */
export const machineFailureModes = [
  'infra-error',
  'quota',
  'ignition-unreachable',
  'kubelet-never-ready',
  'node-flap',
  'node-unreachable',
  'instance-gone',
  'node-deleted',
  'slow',
  'drain-blocked',
  'volume-stuck',
  'mcd-degraded',
  'mcd-stuck',
] as const
export type MachineFailureMode = (typeof machineFailureModes)[number]

export interface MachineFailure {
  readonly mode: MachineFailureMode
  readonly reason?: string
  readonly period?: Duration
  readonly factor?: number
  /** So many machines of a pool are made, and no more. */
  readonly most?: number
  /** Of 100 machines, so many. */
  readonly chance?: number
  readonly version?: string
  /** So many machines of a pool, and no more. */
  readonly times?: number
}

export interface ParsedMachineFailures {
  readonly failures: readonly MachineFailure[]
  /** What could not be read, in words for the person who wrote it. */
  readonly problems: readonly string[]
}

/** Reads what annotations say: `slow factor=3; infra-error reason=OutOfStock`. What cannot be read is left out and told; the rest counts. */
export function parseMachineFailures(text: string | undefined): ParsedMachineFailures {
  const failures: MachineFailure[] = []
  const problems: string[] = []
  for (const part of (text ?? '').split(/[;\n]/).map((each) => each.trim())) {
    if (part === '') continue
    const read = parseOne(part)
    if (typeof read === 'string') problems.push(read)
    else failures.push(read)
  }
  return { failures, problems }
}

type MachineLike = KubernetesObject & { readonly spec: { readonly version?: string } }

/** What goes wrong with a machine, by what stands on it, on its Node and on its pool. */
export function machineFailuresOf(machine: MachineLike, ...others: readonly (KubernetesObject | undefined)[]): readonly MachineFailure[] {
  return [machine, ...others].flatMap((carrier) => (carrier === undefined ? [] : failuresFrom(carrier, machine)))
}

/** What goes wrong with a machine, by what stands on one object. */
export function failuresFrom(carrier: KubernetesObject, machine: MachineLike): readonly MachineFailure[] {
  const text = carrier.metadata.annotations?.[failureAnnotation]
  if (text === undefined) return []
  const { metadata, spec } = machine
  return parseMachineFailures(text).failures.filter((failure) => {
    const { mode, chance = 100, version } = failure
    const isMeant = hash32(`${mode}/${metadata.name ?? ''}`) % 100 < chance && (version === undefined || version === spec.version)
    return isMeant && hits(carrier, machine, failure)
  })
}

export function failingWith(failures: readonly MachineFailure[], mode: MachineFailureMode): MachineFailure | undefined {
  return failures.find((failure) => failure.mode === mode)
}

/** How many times as long as usual everything takes. */
export function slownessOf(failures: readonly MachineFailure[]): number {
  return failures.reduce((factor, failure) => (failure.mode === 'slow' ? factor * (failure.factor ?? 10) : factor), 1)
}

function parseOne(text: string): MachineFailure | string {
  const [mode = '', ...options] = text.split(/\s+/)
  if (!isMode(mode)) return `"${mode}" is nothing that can go wrong with a machine: choose from ${machineFailureModes.join(', ')}`
  let failure: MachineFailure = { mode }
  for (const option of options) {
    const [key = '', value = ''] = option.split('=')
    const read = optionOf(key, value)
    if (read === undefined) {
      return `"${option}" of ${mode} cannot be understood: write reason=<Word>, period=<duration>, factor=<number>, most=<number>, chance=<percent>, version=<version> or times=<number>, without spaces`
    }
    failure = { ...failure, ...read }
  }
  return failure
}

function isMode(text: string): text is MachineFailureMode {
  return machineFailureModes.some((mode) => mode === text)
}

function optionOf(key: string, value: string): Partial<Omit<MachineFailure, 'mode'>> | undefined {
  if (value === '') return undefined
  switch (key) {
    case 'reason':
      return { reason: value }
    case 'version':
      return { version: value }
    case 'period': {
      const period = tryParseDuration(value)
      return period !== undefined && period > 0 ? { period } : undefined
    }
    case 'factor':
      return Number(value) > 0 && Number.isFinite(Number(value)) ? { factor: Number(value) } : undefined
    case 'most':
      return /^\d{1,4}$/.test(value) ? { most: Number(value) } : undefined
    case 'times':
      return /^[1-9]\d{0,3}$/.test(value) ? { times: Number(value) } : undefined
    case 'chance':
      return /^\d{1,3}%?$/.test(value) ? { chance: Number.parseInt(value, 10) } : undefined
    default:
      return undefined
  }
}
