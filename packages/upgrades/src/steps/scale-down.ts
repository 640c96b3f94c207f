import type { machineApi, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import { nodeName } from '../cluster/nodes.ts'
import { scaleProblem } from '../config/index.ts'
import { executeStrategies, hasDrainFailed, strategiesFor, withDelayNotice } from '../drain/index.ts'
import { gauge } from '../effects/effect.ts'
import { clearGauge, setGauge } from '../metrics/series.ts'
import { look, missing } from '../observed/look.ts'
import { extraNodeNames, isExtra, removeExtras } from '../scaling/index.ts'
import { failed, notDone, type Pass, type Step, stepDone, type Verdict } from './step.ts'

/** Removes what was added, whatever the spec says by now, and helps its nodes to drain. */
export const scaleDown: Step = {
  type: 'ComputeCapacityRemoved',
  name: 'Scale down',
  decide: (pass) => {
    const { upgradeConfig, config, facts } = pass
    const { machineSets, machines } = facts
    if (machineSets === undefined || machines === undefined) return look(...missing(facts, ['machineSets', 'machines']))
    if ('problem' in machineSets) return failed(machineSets.problem)
    if ('problem' in machines) return failed(machines.problem)
    const extraSets = machineSets.value.filter(isExtra)
    const extraMachines = machines.value.filter(isExtra)
    const hasExtras = extraSets.length > 0 || extraMachines.length > 0
    if (!hasExtras && upgradeConfig.spec.capacityReservation !== true) return stepDone()
    const problem = scaleProblem(config)
    if (problem !== undefined) return failed(problem)
    const names = extraNodeNames(extraMachines)
    if (names.size === 0) return conclude(pass, extraSets, extraMachines, [])
    const { nodes, budgets, extraPods } = facts
    if (nodes === undefined || budgets === undefined || extraPods === undefined) {
      return look(...missing(facts, ['nodes', 'budgets', 'extraPods']))
    }
    if ('problem' in nodes) return failed(nodes.problem)
    if ('problem' in budgets) return failed(budgets.problem)
    if ('problem' in extraPods) return failed(extraPods.problem)
    const draining = nodes.value.filter((node) => names.has(nodeName(node)))
    return conclude(pass, extraSets, extraMachines, drainAll(pass, draining, extraPods.value, budgets.value))
  },
}

interface NodeDrain {
  readonly name: string
  readonly drain: ReturnType<typeof executeStrategies>
  readonly hasFailed: boolean
}

function drainAll(
  { upgradeConfig, config, now }: Pass,
  nodes: readonly Node[],
  pods: readonly Pod[],
  budgets: readonly PodDisruptionBudget[],
): readonly NodeDrain[] {
  const strategies = strategiesFor(upgradeConfig, config, budgets)
  const byNode = Map.groupBy(pods, ({ spec }) => spec.nodeName ?? '')
  return nodes.map((node) => {
    const draining = { node, pods: byNode.get(nodeName(node)) ?? [] }
    return {
      name: nodeName(node),
      drain: executeStrategies(draining, strategies, now),
      hasFailed: hasDrainFailed(draining, strategies, config, now),
    }
  })
}

function conclude(
  { upgradeConfig }: Pass,
  machineSets: readonly machineApi.MachineSet[],
  machines: readonly machineApi.Machine[],
  drains: readonly NodeDrain[],
): Verdict {
  const removals = removeExtras(machineSets)
  const executed = drains.flatMap(({ drain }) => drain.executed)
  const strategyEffects = drains.flatMap(({ drain }) => drain.effects)
  const effects = [...removals, ...withDelayNotice(upgradeConfig, strategyEffects, executed)]
  const failures = drains.filter(({ hasFailed }) => hasFailed)
  const problems = [
    ...drains.flatMap(({ drain }) => (drain.problem === undefined ? [] : [drain.problem])),
    ...failures.map(({ name }) => `node ${name} of the extra workers could not be drained in time`),
  ]
  if (problems.length > 0) {
    const late = failures.map(({ name }) => gauge(setGauge('upgradeoperator_node_drain_timeout', { node_name: name }, 1)))
    return failed(problems.join('; '), ...effects, ...late)
  }
  if (removals.length > 0 || machines.length > 0) {
    return notDone(`waiting for ${machines.length} extra machines to go`, ...effects)
  }
  return stepDone(...effects, gauge(clearGauge('upgradeoperator_node_drain_timeout')))
}
