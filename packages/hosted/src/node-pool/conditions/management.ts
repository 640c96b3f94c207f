import type { Seen } from '../seen.ts'
import { fails, holds, type Outcome, quietly, validationFailed } from './outcome.ts'

/** Where the autoscaler can make the first machine of a pool that has none. */
const scalesFromZero: ReadonlySet<string> = new Set(['AWS', 'Azure'])

export function isAutoscalingEnabled({ pool }: Seen): Outcome {
  const { autoScaling, platform } = pool.spec
  if (autoScaling === undefined) return fails('AsExpected')
  const { min, max } = autoScaling
  if (min === 0 && !scalesFromZero.has(platform.type)) {
    return fails(validationFailed, `Autoscaling from zero (min=0) is not supported for ${platform.type} platform`)
  }
  return holds(`Maximum nodes: ${max}, Minimum nodes: ${min}`)
}

export function isUpdateManagementEnabled({ pool, key }: Seen): Outcome {
  const problem = managementProblem(pool.spec.management)
  if (problem === undefined) return holds()
  return fails(validationFailed, problem, quietly(`a change of spec.management of NodePool ${key}: ${problem}`))
}

function managementProblem({ upgradeType, replace }: Seen['pool']['spec']['management']): string | undefined {
  if (upgradeType === 'InPlace') return undefined
  if (replace === undefined) {
    return 'this is unsupported. "Replace" upgrade type and a strategy: "RollingUpdate" or "OnDelete" are required'
  }
  const { strategy, rollingUpdate } = replace
  if (strategy !== 'RollingUpdate' && strategy !== 'OnDelete') {
    return 'this is unsupported. "Replace" upgrade type only support strategies "OnDelete" and "RollingUpdate"'
  }
  return strategy === 'RollingUpdate' && rollingUpdate === undefined
    ? 'this is unsupported. "Replace" upgrade type with strategy "RollingUpdate" require a MaxUnavailable and MaxSurge'
    : undefined
}
