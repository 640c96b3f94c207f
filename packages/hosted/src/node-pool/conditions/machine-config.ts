import type { Seen } from '../seen.ts'
import { fails, holds, kept, type Outcome, quietly, validationFailed, withError } from './outcome.ts'

/** Without a kubeconfig there is no guest that the configuration could be for: nothing is judged yet. */
export function isValidMachineConfig({ cluster, key, target }: Seen): Outcome {
  if (!cluster.status?.kubeconfig?.name) return { ...kept, stop: quietly('the kubeconfig of its cluster') }
  const config = target()
  if (config.is === 'failed') return fails(validationFailed, config.problem, withError(`NodePool ${key}: ${config.problem}`))
  return holds()
}
