import { poolProgress } from '../cluster/worker-pool.ts'
import { look } from '../observed/look.ts'
import { startOf } from '../upgrade-config/history.ts'
import { endWindow, workerWindow } from '../windows/index.ts'
import { failed, type Step, stepDone, versionLabels } from './step.ts'

/** A silence for as long as the nodes that are left may take, one after the other. */
export const createWorkerWindow: Step = {
  type: 'WorkersMaintenanceWindowCreated',
  name: 'Worker silence',
  decide: (pass) => {
    const { upgradeConfig, config, facts, entry, now } = pass
    if (facts.workerPool === undefined) return look('workerPool')
    if ('problem' in facts.workerPool) return failed(facts.workerPool.problem)
    const { machines, updated } = poolProgress(facts.workerPool.value)
    const remaining = machines - updated
    if (remaining < 1) return stepDone()
    if (facts.silences === undefined) return look('silences')
    if ('problem' in facts.silences) return failed(facts.silences.problem)
    const drainMinutes = Math.max(upgradeConfig.spec.PDBForceDrainTimeout, config['nodeDrain.timeOut'])
    const end = now + remaining * (drainMinutes + config['nodeDrain.expectedNodeDrainTime']) * config.minute
    const attempt = { version: versionLabels(pass).version, startTime: startOf(entry, now), now }
    return stepDone(...workerWindow(facts.silences.value, remaining, end, attempt))
  },
}

export const endWorkerWindow: Step = {
  type: 'WorkersMaintenanceWindowRemoved',
  name: 'End worker silence',
  decide: ({ facts }) => {
    if (facts.silences === undefined) return look('silences')
    if ('problem' in facts.silences) return failed(facts.silences.problem)
    return stepDone(...endWindow(facts.silences.value, 'worker'))
  },
}
