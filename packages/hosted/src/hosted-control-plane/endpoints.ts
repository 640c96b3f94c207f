import { Route, Service } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import { namespaceOf } from '../components/control-plane.ts'
import type { Snapshot } from '../hosted-cluster/snapshot.ts'
import type { Endpoint } from './health.ts'
import { routePort, routersOf, strategyOf, waysInto } from './ways-in.ts'
import type { WayIn } from './ways-in.ts'

/** Where a control plane is reached. */
export interface Endpoints {
  /** Those that the infrastructure is not ready without, in order. */
  readonly awaited: readonly Endpoint[]
  readonly controlPlaneEndpoint: { readonly host: string; readonly port: number } | undefined
  readonly oauthCallbackURLTemplate: string | undefined
}

/** Reads from Services and Routes what the infrastructure has given out so far. */
export function endpointsOf(controlPlane: HostedControlPlane, objects: Snapshot): Endpoints {
  const ways = waysInto(controlPlane).filter(({ isAwaited }) => isAwaited)
  const found = new Map(ways.map((way) => [way.published, endpointOf(way, controlPlane, objects)]))
  const routers = routersOf(controlPlane).map((name): Endpoint => ({
    service: name,
    isNeeded: true,
    ...balanced(name, routePort, controlPlane, objects),
  }))
  const api = placeOf(found.get('APIServer'))
  const oauth = placeOf(found.get('OAuthServer'))
  return {
    awaited: [...found.values(), ...routers],
    controlPlaneEndpoint: api,
    oauthCallbackURLTemplate:
      oauth === undefined ? undefined : `https://${oauth.host}:${oauth.port}/oauth2callback/[identity-provider-name]`,
  }
}

function placeOf(endpoint: Endpoint | undefined): { readonly host: string; readonly port: number } | undefined {
  const { host, port } = endpoint ?? {}
  return host && port ? { host, port } : undefined
}

type Place = Pick<Endpoint, 'host' | 'port' | 'message'>

const nowhere: Place = { host: undefined, port: undefined }

function endpointOf(way: WayIn, controlPlane: HostedControlPlane, objects: Snapshot): Endpoint {
  const strategy = strategyOf(controlPlane, way.published)
  const isNeeded = strategy !== undefined && strategy.type !== 'None'
  return { service: way.published, isNeeded, ...placeBy(way, controlPlane, objects) }
}

function placeBy(way: WayIn, controlPlane: HostedControlPlane, objects: Snapshot): Place {
  const namespace = namespaceOf(controlPlane)
  const { type, loadBalancer, nodePort } = strategyOf(controlPlane, way.published) ?? {}
  if (type === 'LoadBalancer') {
    const place = balanced(way.service, way.port, controlPlane, objects)
    return place.host !== undefined && loadBalancer?.hostname ? { ...place, host: loadBalancer.hostname } : place
  }
  if (type === 'NodePort') {
    const port = objects.find(Service, { namespace, name: way.service })?.spec.ports?.[0]?.nodePort
    return port === undefined ? nowhere : { host: nodePort?.address, port }
  }
  if (type !== 'Route' || !objects.serves(Route)) return nowhere
  const host = objects.find(Route, { namespace, name: way.route })?.spec.host
  return host ? { host, port: routePort } : nowhere
}

function balanced(name: string, port: number, controlPlane: HostedControlPlane, objects: Snapshot): Place {
  const service = objects.find(Service, { namespace: namespaceOf(controlPlane), name })
  const { hostname, ip } = service?.status?.loadBalancer?.ingress?.[0] ?? {}
  const host = hostname || ip
  if (host) return { host, port }
  return service === undefined ? nowhere : { ...nowhere, message: `${name} load balancer is provisioning` }
}
