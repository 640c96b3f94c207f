import { type Event, type KubernetesObject, Route, Service } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { ageOf, patience } from '../ages.ts'
import { byWeight, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { ControlPlaneEvidence } from '../evidence.ts'

/** What the outside has to give out before a control plane can be reached: addresses of load balancers, hosts of Routes. */
export function addressTroubles({ services, routes, events }: ControlPlaneEvidence, now: Instant): readonly Trouble[] {
  return [
    ...services.flatMap((service) => serviceTrouble(service, events, now) ?? []),
    ...routes.flatMap((route) => routeTrouble(route, now) ?? []),
  ].toSorted(byWeight)
}

function serviceTrouble(service: Service, events: readonly Event[], now: Instant): Trouble | undefined {
  const { metadata, spec, status } = service
  if (spec.type !== 'LoadBalancer' || (status?.loadBalancer?.ingress ?? []).length > 0) return undefined
  const since = metadata.creationTimestamp
  const told = events.findLast(({ regarding }) => regarding.kind === 'Service' && regarding.name === metadata.name)
  const says = told === undefined ? 'the cloud has given it no load balancer yet' : `the cloud has given it no load balancer: ${told.note}`
  return {
    weight: told !== undefined || ageOf(since, now) > patience.address ? 'Broken' : 'Waiting',
    links: [linkTo(placeOf(Service, service, 'management'), says, { reason: told?.reason ?? 'NoLoadBalancer', since })],
    remedy: 'See whether the management cluster can make load balancers: its cloud controller, its quota, its credentials.',
  }
}

function routeTrouble(route: Route, now: Instant): Trouble | undefined {
  const admissions = (route.status?.ingress ?? []).map(({ conditions }) => findCondition(conditions, 'Admitted'))
  if (admissions.some((admission) => admission?.status === 'True')) return undefined
  const refusal = admissions.find((admission) => admission?.status === 'False')
  const since = refusal?.lastTransitionTime ?? route.metadata.creationTimestamp
  return {
    weight: refusal !== undefined || ageOf(since, now) > patience.address ? 'Broken' : 'Waiting',
    links: [
      linkTo(
        placeOf(Route, route, 'management'),
        refusal === undefined ? 'no router has taken it' : `the router refuses it: ${refusal.message ?? ''}`,
        { reason: refusal?.reason ?? 'NotAdmitted', since },
      ),
    ],
    remedy: 'See whether a router of the management cluster selects this Route, and whether another one has its host already.',
  }
}

/** What ExternalDNS goes by. */
const hostnameAnnotation = 'external-dns.alpha.kubernetes.io/hostname'

/** The object whose name the world does not know, by what was said about looking it up. */
export function nameTrouble({ services, routes }: ControlPlaneEvidence, message: string, since: string | undefined): Trouble | undefined {
  const hostOf = ({ metadata }: KubernetesObject): string | undefined => metadata.annotations?.[hostnameAnnotation]
  const named = [
    ...services.map((object) => ({ place: placeOf(Service, object, 'management'), host: hostOf(object) })),
    ...routes.map((object) => ({ place: placeOf(Route, object, 'management'), host: hostOf(object) ?? object.spec.host })),
  ].filter(({ host }) => host !== undefined && host !== '')
  const found = named.find(({ host = '' }) => message.includes(host))
  if (found === undefined) return undefined
  return {
    weight: 'Broken',
    links: [linkTo(found.place, `its name ${found.host ?? ''} cannot be looked up: ${message}`, { reason: 'NameNotFound', since })],
    remedy: 'See whether ExternalDNS runs, may write the zone of this name, and has seen the annotation on this object.',
  }
}

/** The way to the API server. */
export function serviceNamed({ services }: ControlPlaneEvidence, name: string): Service | undefined {
  return services.find(({ metadata }) => metadata.name === name)
}
