import { type Namespace, Route } from '@windlass/api'
import { findCondition, formatTime, type Instant, parseTime, transitionTime } from '@windlass/core'
import { done, event, patch, type Plan, plan, refOf, requeueAfter, status, wait } from '@windlass/kube'
import { failing } from '../../failures/index.ts'
import { circumstances, dnsAnnotation, unpublished } from '../exposure.ts'
import type { Settings } from '../settings.ts'

export interface Observed {
  readonly route: Route
  readonly namespace: Namespace | undefined
}

const routerName = 'default'

/** A router that takes every Route, and gives a host to those that have none. */
export function decideWith(settings: Settings): (observed: Observed, now: Instant) => Plan {
  return ({ route, namespace }, now) => {
    const { metadata, spec } = route
    if (metadata.deletionTimestamp !== undefined) return done
    const { failures, problems, takes } = circumstances(route, namespace, settings)
    const complaints = problems.map((problem) => event(route, 'Warning', 'InvalidFailure', problem))
    const admitted = admittedAt(route)
    if (admitted === undefined) {
      if (failing(failures, 'not-admitted') !== undefined)
        return plan(...complaints, wait('a router, which a simulated failure keeps away'))
      const left = (parseTime(metadata.creationTimestamp) ?? now) + takes('admission') - now
      if (left > 0) return plan(...complaints, requeueAfter(left, 'a router'))
      const host = spec.host ?? `${metadata.name}-${metadata.namespace}.apps.${settings.domain}`
      return plan(...complaints, named(route, host), admit(route, host, settings, now))
    }
    const name = unpublished(route)
    if (name === undefined || failing(failures, 'no-dns') !== undefined) return plan(...complaints)
    const left = admitted + takes('dns') - now
    return plan(...complaints, left > 0 ? requeueAfter(left, `${name} to be known`) : publish(route, name))
  }
}

/** Since when our router serves it, by the host that it asks for now. */
function admittedAt({ spec, status }: Route): Instant | undefined {
  const ours = status?.ingress?.find((each) => each.routerName === routerName)
  if (ours === undefined || ours.host !== spec.host || findCondition(ours.conditions, 'Admitted')?.status !== 'True') return undefined
  return transitionTime(ours.conditions, 'Admitted') ?? 0
}

function named(route: Route, host: string) {
  return patch(Route, refOf(route), { spec: { host } }, 'it has no host')
}

/** What other routers say stays. */
function admit(route: Route, host: string, { domain }: Settings, now: Instant) {
  const others = (route.status?.ingress ?? []).filter((each) => each.routerName !== routerName)
  const ours = {
    host,
    routerName,
    routerCanonicalHostname: `router-${routerName}.apps.${domain}`,
    wildcardPolicy: 'None',
    conditions: [{ type: 'Admitted', status: 'True' as const, lastTransitionTime: formatTime(now) }],
  }
  return status(Route, route, { ingress: [...others, ours] }, 'its router serves it')
}

function publish(route: Route, name: string) {
  return patch(Route, refOf(route), { metadata: { annotations: { [dnsAnnotation]: name } } }, `${name} can be looked up by now`)
}
