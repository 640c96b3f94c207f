import type { HostedCluster } from '@windlass/api'
import { textAt } from './unmodelled.ts'

/**
 * Whether Routes of the control plane are served by its own router: where it is private, and where the API server has a Route with a name of its own.
 * Otherwise the ingress of the management cluster serves them.
 */
export function areRoutesServedByControlPlane({ spec }: HostedCluster): boolean {
  const { platform, services } = spec
  if (platform.type === 'IBMCloud') return false
  const access: Readonly<Record<string, string | undefined>> = {
    AWS: platform.aws?.endpointAccess,
    GCP: textAt(platform, 'gcp', 'endpointAccess'),
    Azure: platform.azure?.topology,
  }
  const here = access[platform.type]
  const isPrivate = here === 'Private' || here === 'PublicAndPrivate'
  return (
    isPrivate ||
    services.some(
      ({ service, servicePublishingStrategy: { type, route } }) => service === 'APIServer' && type === 'Route' && Boolean(route?.hostname),
    )
  )
}
