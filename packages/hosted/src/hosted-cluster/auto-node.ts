import { ControlPlaneComponent, Deployment } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { asExpected, isNot, unknown } from './verdict.ts'
import type { Verdict } from './verdict.ts'

const components = ['karpenter-operator', 'karpenter'] as const

/** Nobody tells when these components are done, so that somebody has to ask. */
export const autoNodePollMilliseconds = 15_000

/** The condition AutoNodeEnabled: whether nodes are made to measure, by now or no more. */
export function autoNodeEnabled({ cluster, objects }: ObservedHostedCluster): Verdict {
  if (!objects.serves(ControlPlaneComponent)) return unknown('ControlPlaneComponents cannot be read', 'AutoNodeEvaluationFailed')
  const namespace = controlPlaneNamespaceOf(cluster)
  if (cluster.spec.autoNode?.provisionerConfig.name !== 'Karpenter') {
    const running = components.filter((name) => objects.find(Deployment, { namespace, name }) !== undefined)
    if (running.length === 0) return isNot('AutoNodeNotConfigured', 'AutoNode provisioner is not configured')
    return isNot('AutoNodeProgressing', `AutoNode is being disabled: waiting for deployments to be removed: ${running.join(', ')}`)
  }
  const unfinished = components.flatMap((name) => {
    const component = objects.find(ControlPlaneComponent, { namespace, name })
    if (component === undefined) return [`${name}: not created yet`]
    const rollout = findCondition(component.status?.conditions, 'RolloutComplete')
    return rollout?.status === 'True' ? [] : [`${name}: ${rollout?.message ?? 'not rolled out'}`]
  })
  return unfinished.length === 0
    ? asExpected('AutoNode is ready')
    : isNot('AutoNodeProgressing', `AutoNode is being enabled: ${unfinished.join('; ')}`)
}
