import type { NodePool } from '@windlass/api'
import { findCondition } from '@windlass/core'

type Healthy = 'True' | 'False'

const always: Readonly<Record<string, Healthy>> = {
  Ready: 'True',
  ValidReleaseImage: 'True',
  ValidGeneratedPayload: 'True',
  ValidMachineConfig: 'True',
  ValidTuningConfig: 'True',
  AllMachinesReady: 'True',
  AllNodesHealthy: 'True',
  ReconciliationActive: 'True',
  ReachedIgnitionEndpoint: 'True',
  UpdateManagementEnabled: 'True',
  ValidArchPlatform: 'True',
  SupportedVersionSkew: 'True',
  UpdatingVersion: 'False',
  UpdatingConfig: 'False',
  UpdatingPlatformMachineTemplate: 'False',
}

const onPlatform: Readonly<Record<string, Readonly<Record<string, Healthy>>>> = {
  AWS: { AWSSecurityGroupAvailable: 'True', ValidPlatformImage: 'True' },
  KubeVirt: { ValidPlatformImage: 'True' },
  PowerVS: { ValidPlatformImage: 'True' },
}

/** What each condition of a healthy pool says. */
export function healthyConditions({ spec }: NodePool): Readonly<Record<string, Healthy>> {
  const says = (isSo: boolean): Healthy => (isSo ? 'True' : 'False')
  return {
    ...always,
    ...onPlatform[spec.platform.type],
    AutoscalingEnabled: says(spec.autoScaling !== undefined),
    AutorepairEnabled: says(spec.management.autoRepair === true),
  }
}

/** Conditions that are not as in a healthy pool, by name. One that is missing is among them: nobody has said that it is well. */
export function unhealthyConditions(pool: NodePool): readonly string[] {
  return Object.entries(healthyConditions(pool))
    .filter(([type, status]) => findCondition(pool.status?.conditions, type)?.status !== status)
    .map(([type]) => type)
}
