import type { Seen } from '../seen.ts'
import { isArchValid } from './arch.ts'
import { isIgnitionEndpointAvailable } from './ignition-endpoint.ts'
import { isValidMachineConfig } from './machine-config.ts'
import { allMachinesReady, allNodesHealthy } from './machines.ts'
import { isAutoscalingEnabled, isUpdateManagementEnabled } from './management.ts'
import { clusterNetworkConflict } from './network-conflict.ts'
import { type Conditions, type Row, type Stop, withOutcome } from './outcome.ts'
import { isPayloadGenerated, isIgnitionReached } from './payload.ts'
import { isPlatformConfigValid, isLiveMigratable } from './platform.ts'
import { isReconciliationActive } from './reconciliation.ts'
import { isReleaseImageValid, isSkewSupported } from './release-image.ts'
import { isUpdatingConfig, isUpdatingVersion } from './updating.ts'

/** The conditions that are judged before anything is written, in this order: each may end the pass, and then those after it stay as they are. */
export const chain: readonly Row[] = [
  ['AutoscalingEnabled', isAutoscalingEnabled],
  ['UpdateManagementEnabled', isUpdateManagementEnabled],
  ['ValidReleaseImage', isReleaseImageValid],
  ['IgnitionEndpointAvailable', isIgnitionEndpointAvailable],
  ['ValidArchPlatform', isArchValid],
  ['ReconciliationActive', isReconciliationActive],
  ['SupportedVersionSkew', isSkewSupported],
  ['ValidMachineConfig', isValidMachineConfig],
  ['UpdatingConfig', isUpdatingConfig],
  ['UpdatingVersion', isUpdatingVersion],
  ['ValidGeneratedPayload', isPayloadGenerated],
  ['ReachedIgnitionEndpoint', isIgnitionReached],
  ['AllMachinesReady', allMachinesReady],
  ['AllNodesHealthy', allNodesHealthy],
  ['ClusterNetworkCIDRConflict', clusterNetworkConflict],
  ['KubeVirtNodesLiveMigratable', isLiveMigratable],
  ['ValidPlatformConfig', isPlatformConfigValid],
]

export interface Judged {
  readonly conditions: Conditions
  /** Undefined when the pass goes on. */
  readonly stop: Stop | undefined
}

/** Judges one row after the other, until one ends the pass. */
export function judge(rows: readonly Row[], seen: Seen, conditions: Conditions): Judged {
  let written = conditions
  for (const [type, rule] of rows) {
    const { say, stop } = rule(seen)
    written = withOutcome(written, type, say, seen)
    if (stop !== undefined) return { conditions: written, stop }
  }
  return { conditions: written, stop: undefined }
}
