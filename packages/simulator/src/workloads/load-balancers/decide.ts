import { type Namespace, Service } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { done, event, patch, type Plan, plan, refOf, requeueAfter, status, wait } from '@windlass/kube'
import { failing } from '../../failures/index.ts'
import { lettersOf } from '../../identity/index.ts'
import { circumstances, dnsAnnotation, unpublished } from '../exposure.ts'
import type { Settings } from '../settings.ts'

export interface Observed {
  readonly service: Service
  readonly namespace: Namespace | undefined
}

/** A cloud that makes a load balancer for each Service that asks for one, and then a name for it. */
export function decideWith(settings: Settings): (observed: Observed, now: Instant) => Plan {
  return ({ service, namespace }, now) => {
    const { metadata, spec } = service
    if (metadata.deletionTimestamp !== undefined) return done
    if (spec.type !== 'LoadBalancer') return withdraw(service)
    const { failures, problems, takes } = circumstances(service, namespace, settings)
    const complaints = problems.map((problem) => event(service, 'Warning', 'InvalidFailure', problem))
    const created = parseTime(metadata.creationTimestamp) ?? now
    const address = created + takes('address')
    if (!hasAddress(service)) {
      if (failing(failures, 'no-address') !== undefined)
        return plan(...complaints, wait('a load balancer, which a simulated failure keeps away'))
      if (now < address) return plan(...complaints, requeueAfter(address - now, 'a load balancer'))
      return plan(...complaints, expose(service, settings))
    }
    const name = unpublished(service)
    if (name === undefined || failing(failures, 'no-dns') !== undefined) return plan(...complaints)
    const left = address + takes('dns') - now
    return plan(...complaints, left > 0 ? requeueAfter(left, `${name} to be known`) : publish(service, name))
  }
}

function hasAddress({ status }: Service): boolean {
  return (status?.loadBalancer?.ingress ?? []).length > 0
}

/** The address follows from what the Service is called: a cluster that is made again has the same. */
function expose(service: Service, { domain }: Settings) {
  const { namespace = '', name = '' } = service.metadata
  const hostname = `${name.slice(0, 40)}-${lettersOf(`${namespace}/${name}`, 8)}.lb.${domain}`
  return status(Service, service, { loadBalancer: { ingress: [{ hostname }] } }, 'its load balancer is there')
}

/** One that needs no load balancer any more loses its address. */
function withdraw(service: Service): Plan {
  if (!hasAddress(service)) return done
  return plan(status(Service, service, { loadBalancer: {} }, 'it asks for no load balancer any more'))
}

function publish(service: Service, name: string) {
  return patch(Service, refOf(service), { metadata: { annotations: { [dnsAnnotation]: name } } }, `${name} can be looked up by now`)
}
