import { look } from '../observed/look.ts'
import { startOf } from '../upgrade-config/history.ts'
import { controlPlaneWindow, endWindow } from '../windows/index.ts'
import { failed, type Step, stepDone, versionLabels } from './step.ts'

export const createControlPlaneWindow: Step = {
  type: 'ControlPlaneMaintenanceWindowCreated',
  name: 'Control-plane silence',
  decide: (pass) => {
    const { config, facts, entry, now } = pass
    if (facts.silences === undefined) return look('silences')
    if ('problem' in facts.silences) return failed(facts.silences.problem)
    const end = now + config['maintenance.controlPlaneTime'] * config.minute
    const criticals = config['maintenance.ignoredAlerts.controlPlaneCriticals']
    const attempt = { version: versionLabels(pass).version, startTime: startOf(entry, now), now }
    return stepDone(...controlPlaneWindow(facts.silences.value, criticals, end, attempt))
  },
}

export const endControlPlaneWindow: Step = {
  type: 'ControlPlaneMaintenanceWindowRemoved',
  name: 'End control-plane silence',
  decide: ({ facts }) => {
    if (facts.silences === undefined) return look('silences')
    if ('problem' in facts.silences) return failed(facts.silences.problem)
    return stepDone(...endWindow(facts.silences.value, 'control plane'))
  },
}
