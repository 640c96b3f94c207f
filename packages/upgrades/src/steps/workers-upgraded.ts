import { poolProgress } from '../cluster/worker-pool.ts'
import { gauge, notify } from '../effects/effect.ts'
import { clearGauge, setGauge } from '../metrics/series.ts'
import { look } from '../observed/look.ts'
import { hasActiveSilence } from '../windows/index.ts'
import { failed, notDone, type Step, stepDone, versionLabels } from './step.ts'

/**
 * Waits for the workers. They are late when the silence that was made for them has run out.
 *
 * Alertmanager is asked only while there is something to wait for: its outage must not hold up a pool that has finished.
 */
export const workersUpgraded: Step = {
  type: 'WorkerNodesUpgraded',
  name: 'Wait for workers',
  decide: (pass) => {
    const { facts } = pass
    if (facts.workerPool === undefined) return look('workerPool')
    if ('problem' in facts.workerPool) return failed(facts.workerPool.problem)
    const { machines, updated, isUpgrading } = poolProgress(facts.workerPool.value)
    const isLate = (value: 0 | 1) => gauge(setGauge('upgradeoperator_worker_timeout', versionLabels(pass), value))
    if (!isUpgrading) {
      return stepDone(notify('StateWorkerPlaneFinishedSL'), isLate(0), gauge(clearGauge('upgradeoperator_node_drain_timeout')))
    }
    if (facts.silences === undefined) return look('silences')
    if ('problem' in facts.silences) return failed(facts.silences.problem)
    return notDone(`waiting for workers: ${updated} of ${machines} are updated`, isLate(hasActiveSilence(facts.silences.value) ? 0 : 1))
  },
}
