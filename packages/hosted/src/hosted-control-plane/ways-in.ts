import type { HostedControlPlane } from '@windlass/api'
import { hasIntegratedOAuth, hasNamedApiRoute, isPrivate, platformOf } from '../components/control-plane.ts'

type Strategy = HostedControlPlane['spec']['services'][number]['servicePublishingStrategy']

/** A service of a control plane that somebody outside needs. */
export interface WayIn {
  /** As `spec.services` calls it. */
  readonly published: 'APIServer' | 'Konnectivity' | 'OAuthServer' | 'Ignition'
  readonly service: string
  readonly route: string
  /** The component whose pods answer. */
  readonly component: string
  /** The name of the port, wherever it has one. */
  readonly portName: string
  readonly port: number
  readonly targetPort: number | string
  /** Its component makes the Service itself. */
  readonly isMadeByComponent?: true
  /** The infrastructure is not ready without it. */
  readonly isAwaited: boolean
}

const port = { api: 6443, agents: 8091, oauth: 6443, https: 443 }

/** Routes are all served at one port, by name. */
export const routePort = port.https

/** The ways into this control plane. */
export function waysInto(controlPlane: HostedControlPlane): readonly WayIn[] {
  // IBM Cloud has no proxy before the server.
  const ignition = platformOf(controlPlane) === 'IBMCloud' ? 'ignition-server' : 'ignition-server-proxy'
  return [
    {
      published: 'APIServer',
      service: 'kube-apiserver',
      route: 'kube-apiserver',
      component: 'kube-apiserver',
      portName: 'client',
      port: port.api,
      targetPort: 'client',
      isAwaited: true,
    },
    {
      published: 'Konnectivity',
      service: 'konnectivity-server',
      route: 'konnectivity-server',
      component: 'kube-apiserver',
      portName: 'agents',
      port: port.agents,
      targetPort: 'agents',
      isAwaited: true,
    },
    ...(hasIntegratedOAuth(controlPlane)
      ? [
          {
            published: 'OAuthServer',
            service: 'oauth-openshift',
            route: 'oauth',
            component: 'oauth-openshift',
            portName: 'https',
            port: port.oauth,
            targetPort: 6443,
            isAwaited: true,
          } as const,
        ]
      : []),
    {
      published: 'Ignition',
      service: ignition,
      route: 'ignition-server',
      component: ignition,
      portName: 'https',
      port: port.https,
      targetPort: 'https',
      isMadeByComponent: true,
      isAwaited: false,
    },
  ]
}

/** Undefined when the control plane does not publish the service at all. */
export function strategyOf({ spec }: HostedControlPlane, published: WayIn['published']): Strategy | undefined {
  return spec.services.find(({ service }) => service === published)?.servicePublishingStrategy
}

/** The names of the load balancers before the control plane's own router. */
export function routersOf(controlPlane: HostedControlPlane): readonly string[] {
  if (platformOf(controlPlane) === 'IBMCloud') return []
  return [...(hasNamedApiRoute(controlPlane) ? ['router'] : []), ...(isPrivate(controlPlane) ? ['private-router'] : [])]
}

/** The name of the API server outside, where people have given it one. */
export function externalNameOf(controlPlane: HostedControlPlane): string | undefined {
  const strategy = strategyOf(controlPlane, 'APIServer')
  return (strategy?.type === 'Route' ? strategy.route?.hostname : strategy?.loadBalancer?.hostname) || undefined
}
