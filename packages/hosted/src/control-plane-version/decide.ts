import { type ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import {
  digestOf,
  type Instant,
  nextControlPlaneVersion,
  type Release,
  releaseProblem,
  transitionsBetween,
  type UpdateTransition,
} from '@windlass/core'
import { done, event, type EventAction, type Plan, plan, requeue, requeueAfter, status } from '@windlass/kube'

/** The release that a control plane should run, looked up; or why it could not be. */
export type ReleaseLookup = { readonly release: Release } | { readonly problem: string }

export interface Observed {
  readonly controlPlane: HostedControlPlane
  readonly release: ReleaseLookup
  /** All components in its namespace; undefined when they could not be listed. */
  readonly components: readonly ControlPlaneComponent[] | undefined
  /** Names of components that must be among them: those that were enabled when somebody last looked. */
  readonly expected: ReadonlySet<string>
}

/** Without this one there is no control plane, whatever else says that it is done. */
export const alwaysExpected: ReadonlySet<string> = new Set(['kube-apiserver'])

/** A new update is not completed in the pass that records it: look again soon. */
const soon = 5000

/** No change of any object tells that a tag points to another image by now. */
const tagLifetime = 30 * 60_000

/** The release that the management side should run, as the spec names it. */
export function wantedPullspec({ spec }: HostedControlPlane): string {
  return spec.controlPlaneReleaseImage ?? spec.releaseImage
}

/**
 * Keeps `status.controlPlaneVersion` true: which versions run on the management side.
 *
 * A release that cannot be looked up leaves it exactly as it is. To guess would put into the history what nobody can take out again.
 */
export function decide({ controlPlane, release, components, expected }: Observed, now: Instant): Plan {
  const { deletionTimestamp, generation = 0 } = controlPlane.metadata
  if (deletionTimestamp !== undefined) return done
  if ('problem' in release) return requeue(`the release ${wantedPullspec(controlPlane)}, which cannot be looked up: ${release.problem}`)
  const problem = releaseProblem(release.release)
  if (problem !== undefined) return requeue(`a release that can be recorded: of ${wantedPullspec(controlPlane)}, ${problem}`)
  const before = controlPlane.status?.controlPlaneVersion
  const after = nextControlPlaneVersion(before, { desired: release.release, generation, components, expected }, now)
  const transitions = transitionsBetween(before, after)
  return plan(
    after === before
      ? undefined
      : status(HostedControlPlane, controlPlane, { controlPlaneVersion: after }, reasonOf(transitions), { ifUnchanged: true }),
    ...transitions.map((transition) => told(controlPlane, transition)),
    transitions.some(({ type }) => type === 'Started') ? requeueAfter(soon) : undefined,
    digestOf(wantedPullspec(controlPlane)) === undefined ? requeueAfter(tagLifetime) : undefined,
    components === undefined ? requeue('the list of its components, which could not be had') : undefined,
  )
}

function reasonOf(transitions: readonly UpdateTransition[]): string {
  const last = transitions.at(-1)
  return last === undefined ? 'it was judged anew' : `the update to ${last.update.version} is ${last.type.toLowerCase()}`
}

function told(controlPlane: HostedControlPlane, transition: UpdateTransition): EventAction {
  const { version, image } = transition.update
  switch (transition.type) {
    case 'Started':
      return event(controlPlane, 'Normal', 'ControlPlaneUpdateStarted', `The update to ${version} (${image}) has started.`)
    case 'Superseded':
      return event(
        controlPlane,
        'Warning',
        'ControlPlaneUpdateSuperseded',
        `The update to ${version} (${image}) was not complete when the one to ${transition.by.version} started.`,
      )
    case 'Completed':
      return event(
        controlPlane,
        'Normal',
        'ControlPlaneUpdateCompleted',
        `The update to ${version} (${image}) is complete after ${transition.seconds} seconds.`,
      )
    default:
      return transition satisfies never
  }
}
