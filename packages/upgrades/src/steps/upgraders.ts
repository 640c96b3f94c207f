import { commence } from './commence.ts'
import { sendCompletedNotification } from './completed-notification.ts'
import { controlPlaneUpgraded } from './control-plane-upgraded.ts'
import { createControlPlaneWindow, endControlPlaneWindow } from './control-plane-window.ts'
import { delayCheck } from './delay-check.ts'
import { externalDependencyCheck } from './external-dependency-check.ts'
import { fedrampTasks } from './fedramp-tasks.ts'
import { postUpgradeHealthCheck } from './post-upgrade-health-check.ts'
import { preUpgradeHealthCheck } from './pre-upgrade-health-check.ts'
import { scaleDown } from './scale-down.ts'
import { scaleUp } from './scale-up.ts'
import { sendStartedNotification } from './started-notification.ts'
import type { Step } from './step.ts'
import { upgradeableCheck } from './upgradeable-check.ts'
import { createWorkerWindow, endWorkerWindow } from './worker-window.ts'
import { workersUpgraded } from './workers-upgraded.ts'

/** Whose way of upgrading to follow. */
export interface Upgrader {
  readonly type: 'OSD' | 'ARO'
  /** In order. */
  readonly steps: readonly Step[]
  /** Whether an upgrade that does not commence in its window fails. */
  readonly hasFailurePolicy: boolean
}

const osd: Upgrader = {
  type: 'OSD',
  hasFailurePolicy: true,
  steps: [
    sendStartedNotification,
    delayCheck,
    upgradeableCheck,
    preUpgradeHealthCheck,
    externalDependencyCheck,
    scaleUp,
    createControlPlaneWindow,
    commence,
    controlPlaneUpgraded,
    endControlPlaneWindow,
    createWorkerWindow,
    workersUpgraded,
    scaleDown,
    endWorkerWindow,
    postUpgradeHealthCheck,
    fedrampTasks,
    sendCompletedNotification,
  ],
}

const osdOnly: ReadonlySet<Step> = new Set([delayCheck, upgradeableCheck, fedrampTasks])

/** The same way without what is the business of OSD alone. */
const aro: Upgrader = { type: 'ARO', hasFailurePolicy: false, steps: osd.steps.filter((step) => !osdOnly.has(step)) }

/** By `spec.type`; what nobody knows is upgraded as OSD is. */
export function upgraderFor(type: string): Upgrader {
  return type === 'ARO' ? aro : osd
}
