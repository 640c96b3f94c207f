import type { StepView, UpgradeView } from '@windlass/fleet/contract'
import { minutesAgo } from './time.ts'

/** As upgrades of OSD name them. */
const names = [
  'Send started notification',
  'Delay check',
  'Upgradeable check',
  'Pre-upgrade health check',
  'External dependency check',
  'Scale up',
  'Control-plane silence',
  'Commence',
  'Wait for control plane',
  'End control-plane silence',
  'Worker silence',
  'Wait for workers',
  'Scale down',
  'End worker silence',
  'Post-upgrade health check',
  'FedRAMP tasks',
  'Send completed notification',
]
const workers = names.indexOf('Wait for workers')
const healthCheck = names.indexOf('Pre-upgrade health check')
const budget = 'Waits for 3 of 6 worker nodes: ip-10-0-12-7 is drained, a disruption budget of shop/checkout allows no disruption'

type Phase = 'New' | 'Pending' | 'Upgrading' | 'Upgraded' | 'Failed'

const alerts = 'There are 2 critical alerts: ClusterOperatorDown, KubeAPIErrorBudgetBurn'
const planned = { scheduledTime: minutesAgo(-180) }
const begun = { scheduledTime: minutesAgo(97), startedTime: minutesAgo(96) }

/** While it runs, its workers are on their way; one that failed did not get past its health check. */
const phases: Readonly<Record<Phase, () => Pick<UpgradeView, 'scheduledTime' | 'startedTime' | 'completionTime' | 'steps'>>> = {
  New: () => ({ ...planned, steps: stepsUntil(0) }),
  Pending: () => ({ ...planned, steps: stepsUntil(0) }),
  Upgrading: () => ({ ...begun, steps: stepsUntil(workers, { state: 'Running', message: budget }) }),
  Upgraded: () => ({ ...begun, completionTime: minutesAgo(2), steps: stepsUntil(names.length) }),
  Failed: () => ({ ...begun, completionTime: minutesAgo(36), steps: stepsUntil(healthCheck, { state: 'Failed', message: alerts }) }),
}

/** A managed upgrade in one of its phases. */
export function upgradeOf(to: string, phase: Phase = 'Upgrading'): UpgradeView {
  return { name: 'managed-upgrade-config', namespace: 'openshift-managed-upgrade-operator', type: 'OSD', to, phase, ...phases[phase]() }
}

/** All steps before one are done, it is as told, and those behind it have to wait. */
function stepsUntil(current: number, now: Pick<StepView, 'state' | 'message'> = { state: 'Waiting' }): readonly StepView[] {
  return names.map((name, index): StepView => {
    const startedTime = minutesAgo(96 - index * 5.5)
    if (index < current) return { name, state: 'Done', startedTime, completionTime: minutesAgo(96 - index * 5.5 - (index === 8 ? 5.5 : 2)) }
    return index > current || now.state === 'Waiting' ? { name, state: 'Waiting' } : { name, startedTime, ...now }
  })
}
