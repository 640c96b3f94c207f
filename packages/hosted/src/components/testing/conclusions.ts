import assert from 'node:assert/strict'
import type { KubernetesObject } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Action } from '@windlass/kube'
import { concludeComponent } from '../conclude.ts'
import type { Outcome } from '../conclude.ts'
import type { Observed } from '../observed.ts'
import type { ApplyPlan, ComponentPlan } from '../plan.ts'
import { decideComponent } from '../reconcile.ts'
import { registry } from '../registry.ts'
import type { ComponentStatus } from '../status.ts'

/** When tests happen. */
export const noon: number = Date.UTC(2026, 2, 6, 12)

/** What is decided about a component, by its name. */
export function decide(name: string, observed: Observed): ComponentPlan {
  return decideComponent(registry.get(name) ?? assert.fail(`${name} is no component`), observed)
}

/** The same, where it must be applied. */
export function decideApplied(name: string, observed: Observed): ApplyPlan {
  const plan = decide(name, observed)
  assert.equal(plan.step, 'apply')
  return plan
}

/** What the status says after a plan was carried out: `False WaitingForRolloutComplete` and so on. */
export function concluded(plan: ComponentPlan, outcome: Outcome, observed: Observed) {
  const { actions, error } = concludeComponent(plan, outcome, observed, noon)
  const written = actions.find((action) => action.do === 'status')
  const status: ComponentStatus | undefined = written?.status
  const say = (type: string) => {
    const condition = findCondition(status?.conditions, type)
    return condition === undefined ? undefined : `${condition.status} ${condition.reason}`
  }
  return {
    actions: actions.map(describeAction),
    status,
    available: say('Available'),
    rolledOut: say('RolloutComplete'),
    message: findCondition(status?.conditions, 'RolloutComplete')?.message,
    error,
  }
}

/** `create Deployment kube-scheduler` */
export function describeAction(action: Action): string {
  if (action.do === 'event') return `event ${action.word}`
  const name = action.do === 'patch' ? action.ref.name : action.object.metadata.name
  return `${action.do} ${action.kind.kind} ${name}`
}

/** What a plan creates, as the API server would return it. */
export function created(actions: readonly Action[]): readonly KubernetesObject[] {
  return actions.flatMap((action) =>
    action.do === 'create'
      ? [
          {
            apiVersion: action.kind.apiVersion,
            kind: action.kind.kind,
            ...action.object,
            metadata: { generation: 1, uid: 'u', ...action.object.metadata },
          },
        ]
      : [],
  )
}
