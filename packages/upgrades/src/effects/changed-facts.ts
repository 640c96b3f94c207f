import { ClusterVersion, machineApi } from '@windlass/api'
import type { FactName } from '../observed/facts.ts'
import type { Effect } from './effect.ts'

/** What is no longer known once an effect was carried out: the next step has to look again. */
export function changedFacts(effect: Effect): readonly FactName[] {
  switch (effect.do) {
    case 'create silence':
    case 'end silence':
      return ['silences']
    case 'delete pod':
      return ['extraPods']
    case 'replace':
      return ['fileIntegrity']
    case 'act':
      return effect.action.do === 'event' ? [] : changedByKind(effect.action.kind.kind)
    case 'notify':
    case 'owe':
    case 'gauge':
      return []
    default:
      return effect satisfies never
  }
}

function changedByKind(kind: string): readonly FactName[] {
  if (kind === ClusterVersion.kind) return ['clusterVersion']
  return kind === machineApi.MachineSet.kind ? ['machineSets', 'machines'] : []
}
