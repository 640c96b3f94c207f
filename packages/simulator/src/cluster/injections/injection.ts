import type { Duration } from '@windlass/core'

/**
 * What can go wrong on purpose in a cluster, by the kind of object that is asked for it.
 *
 * | on | mode | what happens | when it is taken away |
 * |---|---|---|---|
 * | ClusterOperator | `unavailable` | Available is False | it is available at once |
 * | | `degraded` | Degraded is True | it is well at once |
 * | | `stuck` | it never gets to the new version | it gets there, if its time is over |
 * | | `slow` | its update takes ten times as long, or `factor=` times | the usual time counts |
 * | | `silent` | it does not tell its version | it does |
 * | | `not-upgradeable` | it objects to the next minor | it does not |
 * | ClusterVersion | `payload-unavailable`, `payload-broken`, `payload-unverified` | a release that is asked for is not accepted | it is |
 * | | `precondition` | the same, for a check that fails; `force` goes past it and past an unverified one | it is |
 * | | `not-upgradeable` | Upgradeable is False | there is no such condition |
 * | | `no-updates` | the update service does not answer | it does |
 * | | `manifest-rejected` | the update stops at the step it is in | it goes on |
 * | | `broken` | the version operator itself fails | it goes on |
 * | | `no-conditions`, `no-history` | the status has none; nothing goes on | they are written anew, the history with one entry |
 * | MachineConfigPool | `render` | no config can be rendered | it is rendered |
 * | Node | `not-ready` | Ready is False; a restart does not end | it is ready again |
 * | | `degraded` | the config daemon fails | it goes on |
 * | | `drain-blocked` | the drain does not end, as if a budget forbade it | it goes on |
 * | | `disk-pressure`, `network-unavailable` | the condition is True | it is False |
 * | | `slow` | steps of an update take ten times as long, or `factor=` times | the usual time counts |
 * | MachineSet | `no-machines` | it makes none | it does |
 * | Machine | `quota` | the provider refuses to make it, for `reason=` | it makes it |
 * | | `no-node` | it starts and never becomes a node | it does |
 * | | `never-ready` | its node is there and not ready | it is ready |
 * | | `drain-blocked` | its Pods are not asked to go when it is deleted | they are |
 * | | `removal-stuck` | the provider does not delete it | it does |
 * | | `slow` | all that has not happened yet takes ten times as long, or `factor=` times | the usual time counts |
 *
 * Machines take what the template of their set says. A set takes that from its template too, so that what copies the template copies the failure.
 *
 * What people do needs no injection: another update or an older one while one runs (`spec.desiredUpdate`), overrides (`spec.overrides`), a paused pool
 * (`spec.paused`), a budget that allows nothing, an operator of their own. Lost requests, conflicts and clocks that jump are the simulation's business.
 */
export const injectionModes = {
  ClusterOperator: ['unavailable', 'degraded', 'stuck', 'slow', 'silent', 'not-upgradeable'],
  ClusterVersion: [
    'payload-unavailable',
    'payload-broken',
    'payload-unverified',
    'precondition',
    'not-upgradeable',
    'no-updates',
    'manifest-rejected',
    'broken',
    'no-conditions',
    'no-history',
  ],
  MachineConfigPool: ['render'],
  Node: ['not-ready', 'degraded', 'drain-blocked', 'disk-pressure', 'network-unavailable', 'slow'],
  MachineSet: ['no-machines'],
  Machine: ['quota', 'no-node', 'never-ready', 'drain-blocked', 'removal-stuck', 'slow'],
} as const

export type InjectedKind = keyof typeof injectionModes
export type InjectionMode<Kind extends InjectedKind = InjectedKind> = (typeof injectionModes)[Kind][number]

/** Something that goes wrong with an object. */
export interface Injection<Kind extends InjectedKind = InjectedKind> {
  readonly mode: InjectionMode<Kind>
  /** As it was written. */
  readonly text: string
  /** How long it lasts, from when it shows; until it is taken away unless told. Only where a condition tells since when: see `timedModes`. */
  readonly for?: Duration
  /** The reason that conditions give, in one word. */
  readonly reason?: string
  /** How many times as long everything takes, when it is slow; 10 unless told. */
  readonly factor?: number
}

/** Modes that may last for a time: what they do has a condition, and a condition has a time. */
export const timedModes: ReadonlySet<string> = new Set(['unavailable', 'degraded', 'not-ready'])

/** The first of this mode. */
export function injected<Kind extends InjectedKind>(
  injections: readonly Injection<Kind>[],
  mode: InjectionMode<Kind>,
): Injection<Kind> | undefined {
  return injections.find((injection) => injection.mode === mode)
}

/** How many times as long as usual everything takes. */
export function slowness(injections: readonly Injection[]): number {
  return injections.reduce((factor, injection) => (injection.mode === 'slow' ? factor * (injection.factor ?? 10) : factor), 1)
}
