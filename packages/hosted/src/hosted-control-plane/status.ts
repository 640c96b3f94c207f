import { HostedControlPlane } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { status } from '@windlass/kube'
import type { Action, Plan, StatusAction } from '@windlass/kube'
import { decideControlPlaneVersion } from '../control-plane-version/index.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import type { Release } from '../releases/index.ts'
import { controlPlaneHealth, withVerdicts } from './conditions.ts'
import { validReleaseInfo } from './health.ts'
import type { Look } from './observe.ts'
import { adminKubeconfig, customKubeconfig, kubeadminPassword, wantsPassword } from './secrets.ts'

type Fields = StatusAction<HostedControlPlane>['status']

/** What the status of a control plane says in this pass. */
export interface ControlPlaneReport {
  /** The status, then whom to tell what. */
  readonly actions: readonly Action[]
  /** When the version has to be judged again, and why it could not be. */
  readonly again: Omit<Plan, 'actions'>
  readonly ready: boolean
}

export interface ReportInputs {
  readonly release: Lookup<Release>
  /** Whether the name of the API server outside is known to everybody. */
  readonly externalName: Lookup<unknown>
  /** Components that the last finished pass over all of them found enabled. */
  readonly expected: ReadonlySet<string>
}

/**
 * Judges the control plane: its conditions, where it is reached, and which version it runs, in one write.
 *
 * A release that cannot be looked up only keeps the version from moving. Everything else is said all the same: an outage of a registry must not hide
 * one of etcd.
 */
export function reportOn(look: Look, { release, externalName, expected }: ReportInputs, now: Instant): ControlPlaneReport {
  const { controlPlane, ways } = look
  const health = controlPlaneHealth(
    { ...look, externalName: { hostname: look.externalHostname, lookup: externalName }, missingImages: undefined },
    now,
  )
  const { actions, ...again } = decideControlPlaneVersion(
    {
      controlPlane,
      release: release.is === 'found' ? { release: release.value } : { problem: release.problem },
      components: look.allComponents,
      expected,
    },
    now,
  )
  const version = actions.flatMap((action) => (action.do === 'status' ? [action.status] : []))
  const fields: Fields = {
    conditions: health.conditions,
    ready: health.ready,
    initialized: true,
    externalManagedControlPlane: true,
    // A place that was known once is still the place, though nobody answers there now.
    ...(ways.controlPlaneEndpoint === undefined ? {} : { controlPlaneEndpoint: ways.controlPlaneEndpoint }),
    ...(ways.oauthCallbackURLTemplate === undefined ? {} : { oauthCallbackURLTemplate: ways.oauthCallbackURLTemplate }),
    kubeConfig: look.hasKubeconfig ? adminKubeconfig : undefined,
    customKubeconfig: look.hasCustomKubeconfig && controlPlane.spec.kubeAPIServerDNSName ? customKubeconfig : undefined,
    kubeadminPassword: look.hasPassword && wantsPassword(controlPlane) ? { name: kubeadminPassword } : undefined,
    ...Object.assign({}, ...version),
  }
  const write = status(HostedControlPlane, controlPlane, fields, 'this is what was seen of the control plane', { ifUnchanged: true })
  return { actions: [write, ...actions.filter((action) => action.do === 'event')], again, ready: health.ready }
}

/** Says which images the release lacks, after the components have asked for them; undefined when that is known already. */
export function reportImages(controlPlane: HostedControlPlane, missing: readonly string[], now: Instant): Action | undefined {
  const conditions = withVerdicts(controlPlane, [['ValidReleaseInfo', validReleaseInfo(missing)]], now)
  if (conditions === controlPlane.status?.conditions) return undefined
  return status(HostedControlPlane, controlPlane, { conditions }, 'the components have asked for their images', { ifUnchanged: true })
}
