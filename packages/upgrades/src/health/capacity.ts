import type { machineApi } from '@windlass/api'
import type { Seen } from '../observed/seen.ts'
import { hasWorkerPool } from '../scaling/originals.ts'
import { type HealthCheck, healthy, unhealthy } from './check.ts'

const reason = 'default_worker_machinepool_not_found'
const token = 'CapacityReservationHealthcheckFailed'

/** Whether there is something to add an extra worker to. */
export function checkCapacity(machineSets: Seen<readonly machineApi.MachineSet[]>): HealthCheck {
  if ('problem' in machineSets) return unhealthy([reason], reason, `machine sets could not be listed: ${machineSets.problem}`, token)
  if (hasWorkerPool(machineSets.value)) return healthy([reason])
  return unhealthy([reason], reason, 'no machine set belongs to the machine pool worker: there is nothing to add capacity to', token)
}
