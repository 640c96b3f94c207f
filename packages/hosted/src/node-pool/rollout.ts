import type { Action } from '@windlass/kube'
import { fails, holds, type Outcome, removed, type Stop } from './conditions/index.ts'
import {
  healthCheckOutcome,
  machineDeploymentOutcome,
  machineMetadataActions,
  type MachinesOutcome,
  machineSetOutcome,
  remediationProblem,
} from './machines/index.ts'
import { isInPlace, type Seen } from './seen.ts'
import type { Target } from './target.ts'
import { runningMachineTags, type TargetTemplate, targetTemplate, templateActions, templateGarbage } from './templates/index.ts'
import { PoolAnnotation } from './wire.ts'

/** What a pass does about the machines, and what it says about them. */
export interface Rollout {
  readonly actions: readonly Action[]
  readonly says: readonly (readonly [type: string, outcome: Outcome])[]
  /** The template that everything has been made from, once it is. */
  readonly completed: string | undefined
  /** Machines that are available; undefined when nothing that is counted is about the target. */
  readonly available: number | undefined
  readonly stop: Stop | undefined
}

const untilTemplate = 5000
const untilCapacity = 30_000

const invalidTemplate: Readonly<Record<string, string>> = {
  KubeVirt: 'InvalidKubevirtMachineTemplate',
  OpenStack: 'InvalidOpenStackMachineTemplate',
}

/** Everything of Cluster API, in order: old templates, the template, the machines, their repair. */
export function rollout(seen: Seen, target: Target, isIgnitionReached: boolean): Rollout {
  const template = targetTemplate(seen)
  if ('problem' in template) return invalid(seen, template.problem)
  if ('waitingFor' in template) {
    const stop: Stop = { is: 'later', milliseconds: untilTemplate, waitingFor: template.waitingFor }
    return { actions: [], says: [['ValidMachineTemplate', removed]], completed: undefined, available: undefined, stop }
  }
  const machines = isInPlace(seen) ? machineSetOutcome(seen, target, template) : machineDeploymentOutcome(seen, target, template)
  const repair = healthCheckOutcome(seen, isIgnitionReached)
  return {
    actions: [
      ...templateGarbage(seen, template.name),
      ...runningMachineTags(seen),
      ...templateActions(template),
      ...machines.actions,
      ...(isInPlace(seen) ? [] : machineMetadataActions(seen)),
      ...repair.actions,
    ],
    says: [
      ['ValidMachineTemplate', removed],
      ['UpdatingPlatformMachineTemplate', isUpdatingTemplate(seen, template)],
      ...(repair.isEnabled === undefined ? [] : [['AutorepairEnabled', repair.isEnabled ? holds() : fails('AsExpected')] as const]),
      ['Ready', isReady(seen, machines)],
    ],
    completed: machines.seen?.isComplete === true ? template.name : undefined,
    available: machines.seen?.available,
    stop: capacityStop(seen),
  }
}

function invalid({ pool, key }: Seen, problem: string): Rollout {
  const reason = invalidTemplate[pool.spec.platform.type]
  return {
    actions: [],
    says: reason === undefined ? [] : [['ValidMachineTemplate', fails(reason, problem)]],
    completed: undefined,
    available: undefined,
    stop: { is: 'error', error: `NodePool ${key}: ${problem}` },
  }
}

function isUpdatingTemplate({ pool }: Seen, { name }: TargetTemplate): Outcome {
  return pool.metadata.annotations?.[PoolAnnotation.machineTemplate] === name
    ? fails('AsExpected')
    : holds(`platform machine template update in progress. Target template: ${name}`)
}

/** What the machines say of themselves, unless so many are broken that none is repaired: that comes first. */
function isReady(seen: Seen, machines: MachinesOutcome): Outcome {
  const problem = seen.pool.spec.management.autoRepair === true ? remediationProblem(seen) : undefined
  if (problem !== undefined) return fails(problem.reason, problem.message)
  const ready = machines.seen?.conditions.find(({ type }) => type === 'Ready')
  if (ready === undefined) return { say: 'keep' }
  return { say: { status: ready.status, reason: ready.reason || 'AsExpected', message: ready.message ?? '' } }
}

/** What a machine would offer could not be found out: asked again in a while. A kind that nobody knows is not: only another pool helps. */
function capacityStop({ pool, capacity }: Seen): Stop | undefined {
  if (pool.spec.autoScaling === undefined || capacity?.is !== 'failed') return undefined
  return { is: 'later', milliseconds: untilCapacity, waitingFor: `what a machine of this pool offers: ${capacity.problem}` }
}
