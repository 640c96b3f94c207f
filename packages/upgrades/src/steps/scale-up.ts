import { scaleProblem } from '../config/index.ts'
import { act, gauge, notify } from '../effects/effect.ts'
import { setGauge } from '../metrics/series.ts'
import { look, missing } from '../observed/look.ts'
import { decideScaleUp, hasWorkerPool } from '../scaling/index.ts'
import { failed, notDone, type Pass, type Step, stepDone, unlessCommenced, type Verdict } from './step.ts'

/** Adds a spare worker beside each machine set. That they do not come in time is told and ends the step all the same: the upgrade does without. */
export const scaleUp: Step = {
  type: 'ComputeCapacityReserved',
  name: 'Scale up',
  decide: (pass) => {
    if (pass.upgradeConfig.spec.capacityReservation !== true) return stepDone()
    const problem = scaleProblem(pass.config)
    return problem === undefined ? unlessCommenced(pass, () => decide(pass)) : failed(problem)
  },
}

function decide({ upgradeConfig, config, facts, now }: Pass): Verdict {
  const { machineSets, machines, nodes } = facts
  if (machineSets === undefined) return look('machineSets')
  if ('problem' in machineSets) return failed(machineSets.problem)
  const extraPools = config['scale.extraMachinePools']
  if (!hasWorkerPool(machineSets.value) && extraPools.length === 0) return stepDone(notify('StateScaleSkipped', { onFailure: 'go on' }))
  if (machines === undefined || nodes === undefined) return look(...missing(facts, ['machines', 'nodes']))
  if ('problem' in machines) return failed(machines.problem)
  if ('problem' in nodes) return failed(nodes.problem)
  const scaling = decideScaleUp({
    machineSets: machineSets.value,
    machines: machines.value,
    nodes: nodes.value,
    extraPools,
    timeOut: config['scale.timeOut'] * config.minute,
    now,
  })
  const labels = { upgradeconfig_name: upgradeConfig.metadata.name ?? '' }
  switch (scaling.is) {
    case 'done':
      return stepDone(gauge(setGauge('upgradeoperator_scaling_failed', labels, 0)))
    case 'in progress':
      return notDone(`waiting for ${scaling.waitingFor}`, ...scaling.creates.map((create) => act(create)))
    case 'timed out':
      return stepDone(gauge(setGauge('upgradeoperator_scaling_failed', labels, 1)), notify('StateSkipped'))
    case 'impossible':
      return failed(scaling.problem)
    default:
      return scaling satisfies never
  }
}
