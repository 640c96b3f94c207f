import { Deployment, Pod } from '@windlass/api'
import type { Invariant, StateReader, Write } from '@windlass/kube/simulation'
import { boundsOf } from '../deployments/bounds.ts'
import { imagesOf, isActive, isReady } from '../pods/index.ts'
import { namespace } from './drafts.ts'
import { isRolledOut } from './worlds.ts'

const byApp = ({ metadata }: Pod): readonly string[] => [metadata.labels?.app ?? '']

function appOf(write: Write): string {
  return write.as(Pod)?.metadata.labels?.app ?? ''
}

function podsOf(state: StateReader, app: string): readonly Pod[] {
  return state.byIndex(Pod, byApp, app).filter(isActive)
}

/** From the moment that a Deployment has rolled out for the first time. */
export function neverTooFew(): Invariant {
  const hasBeenUp = new Set<string>()
  return {
    name: 'a rollout takes no more Pods out of service than it may',
    holds(write, state) {
      const deployment = write.as(Deployment)
      if (deployment !== undefined && isRolledOut(deployment)) hasBeenUp.add(write.name)
      const app = appOf(write)
      const of = hasBeenUp.has(app) ? state.get(Deployment, { namespace, name: app }) : undefined
      if (of === undefined) return true
      const { leastAvailable } = boundsOf(of)
      const available = podsOf(state, app).filter(isReady).length
      return available >= leastAvailable || `${app} has ${available} Pods in service and needs ${leastAvailable}`
    },
  }
}

export const neverTooMany: Invariant = {
  name: 'a rollout makes no more Pods than it may',
  of: Pod,
  holds(write, state) {
    const app = appOf(write)
    const of = state.get(Deployment, { namespace, name: app })
    if (of === undefined) return true
    const { most } = boundsOf(of)
    const count = podsOf(state, app).length
    return count <= most || `${app} has ${count} Pods and may have ${most}`
  },
}

/** What readers of status rely on: a Deployment is done only when it is. */
export const neverDoneTooSoon: Invariant = {
  name: 'a status that calls a rollout complete is right',
  of: Deployment,
  holds(write, state) {
    const deployment = write.as(Deployment)
    if (deployment === undefined || write.verb === 'delete' || !isRolledOut(deployment)) return true
    const image = deployment.spec.template.spec.containers[0]?.image ?? ''
    const pods = podsOf(state, write.name)
    const old = pods.filter((pod) => !imagesOf(pod).includes(image))
    if (old.length > 0) return `${write.name} still has ${old.map(({ metadata }) => metadata.name).join(', ')}`
    return pods.length === deployment.spec.replicas || `${write.name} has ${pods.length} Pods`
  },
}

/** For those that must not run two templates at a time; Pods on their way out run too. */
export const neverTwoTemplates: Invariant = {
  name: 'no two templates run at the same time',
  of: Pod,
  holds(write, state) {
    const images = new Set(state.byIndex(Pod, byApp, appOf(write)).flatMap(imagesOf))
    return images.size <= 1 || `there are Pods with ${[...images].join(' and ')}`
  },
}
