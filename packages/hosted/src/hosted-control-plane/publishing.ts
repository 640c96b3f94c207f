import { Route, Service } from '@windlass/api'
import type { HostedControlPlane, ObjectMeta } from '@windlass/api'
import type { Action } from '@windlass/kube'
import { Label } from '../components/index.ts'
import {
  forwardsMetrics,
  hasIntegratedOAuth,
  isManagedAzure,
  isPrivate,
  namespaceOf,
  ownerReferenceTo,
} from '../components/control-plane.ts'
import { ensured } from '../hosted-cluster/snapshot.ts'
import type { Snapshot } from '../hosted-cluster/snapshot.ts'
import { routersOf, routePort, strategyOf, waysInto } from './ways-in.ts'
import type { WayIn } from './ways-in.ts'

/** Asks whoever manages names in DNS for one. */
const nameAnnotation = 'external-dns.alpha.kubernetes.io/hostname'

const reason = 'the control plane is reached through it'

/** Makes the control plane reachable from outside: a Service for each way in, and a Route where it is published by one. */
export function publish(controlPlane: HostedControlPlane, objects: Snapshot, ingressDomain: string | undefined): readonly Action[] {
  return [
    ...waysInto(controlPlane).flatMap((way) => published(way, controlPlane, objects, ingressDomain)),
    ...routersOf(controlPlane).flatMap((name) => router(name, controlPlane, objects)),
    ...(isManagedAzure(controlPlane) && isPrivate(controlPlane) && objects.serves(Route) ? internalRoutes(controlPlane, objects) : []),
  ]
}

/** Inside of the private network of a managed Azure there are names of their own, and the router does not start before it can serve them. */
function internalRoutes(controlPlane: HostedControlPlane, objects: Snapshot): readonly Action[] {
  const inside = `${controlPlane.metadata.name ?? ''}.hypershift.local`
  const routes = [
    { route: 'kube-apiserver-internal', service: 'kube-apiserver', portName: 'client', host: `api.${inside}` },
    ...(hasIntegratedOAuth(controlPlane)
      ? [{ route: 'oauth-internal', service: 'oauth-openshift', portName: 'https', host: `oauth.apps.${inside}` }]
      : []),
    ...(forwardsMetrics(controlPlane)
      ? [{ route: 'metrics-proxy', service: 'metrics-proxy', portName: 'https', host: `metrics-proxy.apps.${inside}` }]
      : []),
  ]
  return routes.flatMap(({ host, ...way }) => ensured(objects, Route, routeOf(way, controlPlane, host), reason))
}

function published(way: WayIn, controlPlane: HostedControlPlane, objects: Snapshot, ingressDomain: string | undefined): readonly Action[] {
  const strategy = strategyOf(controlPlane, way.published)
  if (strategy === undefined) return []
  const { type, nodePort, loadBalancer, route } = strategy
  const name = type === 'LoadBalancer' ? loadBalancer?.hostname : undefined
  const service = {
    metadata: { ...metadataOf(controlPlane, way.service, name), labels: { app: way.component } },
    spec: {
      type: type === 'LoadBalancer' || type === 'NodePort' ? type : 'ClusterIP',
      selector: { [Label.component]: way.component },
      ports: [
        {
          name: way.portName,
          port: way.port,
          targetPort: way.targetPort,
          protocol: 'TCP',
          ...(type === 'NodePort' && nodePort?.port ? { nodePort: nodePort.port } : {}),
        },
      ],
    },
  } as const
  return [
    ...(way.isMadeByComponent === true ? [] : ensured(objects, Service, service, reason)),
    ...(type === 'Route' && objects.serves(Route) ? routed(way, controlPlane, objects, route?.hostname, ingressDomain) : []),
  ]
}

/**
 * A Route without a host gets one from the management cluster, if that is an OpenShift. Where the name of its ingress is known we say the same
 * ourselves, once: a host must not change.
 */
function routed(
  way: WayIn,
  controlPlane: HostedControlPlane,
  objects: Snapshot,
  hostname: string | undefined,
  ingressDomain: string | undefined,
): readonly Action[] {
  const namespace = namespaceOf(controlPlane)
  const known = objects.find(Route, { namespace, name: way.route })?.spec.host
  const generated = ingressDomain === undefined ? undefined : `${way.route}-${namespace}.${ingressDomain}`
  const host = hostname || known || generated
  return ensured(objects, Route, routeOf(way, controlPlane, host, hostname), reason)
}

function routeOf(
  { route, service, portName }: Pick<WayIn, 'route' | 'service' | 'portName'>,
  controlPlane: HostedControlPlane,
  host: string | undefined,
  hostname?: string,
) {
  return {
    metadata: metadataOf(controlPlane, route, hostname),
    spec: {
      ...(host === undefined ? {} : { host }),
      to: { kind: 'Service', name: service },
      port: { targetPort: portName },
      tls: { termination: 'passthrough', insecureEdgeTerminationPolicy: 'None' },
    },
  } as const
}

function router(name: string, controlPlane: HostedControlPlane, objects: Snapshot): readonly Action[] {
  const service = {
    metadata: metadataOf(controlPlane, name),
    spec: {
      type: 'LoadBalancer',
      selector: { [Label.component]: 'router' },
      ports: [{ name: 'https', port: routePort, targetPort: 'https', protocol: 'TCP' }],
    },
  } as const
  return ensured(objects, Service, service, 'Routes of the control plane are served behind it')
}

function metadataOf(controlPlane: HostedControlPlane, name: string, hostname?: string): ObjectMeta & { readonly name: string } {
  return {
    name,
    namespace: namespaceOf(controlPlane),
    ownerReferences: [ownerReferenceTo(controlPlane)],
    ...(hostname ? { annotations: { [nameAnnotation]: hostname } } : {}),
  }
}
