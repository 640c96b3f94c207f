import type { HostedCluster, Secret } from '@windlass/api'
import type { Draft } from '@windlass/kube'
import { noProxyOf } from '../config/index.ts'
import type { Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import { Annotation } from '../wire.ts'
import { encoded } from './encoding.ts'

/** The Secret that a machine is born with: where to fetch its configuration, and what to show there. */
export function userDataSecret(seen: Seen, target: Target, token: string): Draft<Secret> {
  return {
    metadata: { name: target.userDataSecret, namespace: seen.namespace, annotations: { [Annotation.nodePool]: seen.key } },
    immutable: false,
    data: {
      // The provider reads this value as base64 itself.
      disableTemplating: encoded(encoded('true')),
      value: encoded(JSON.stringify(ignition(seen, target, token))),
    },
  }
}

function ignition({ cluster, key, ignitionCA }: Seen, target: Target, token: string): object {
  const proxy = proxyOf(cluster)
  return {
    ignition: {
      version: '3.2.0',
      config: {
        merge: [
          {
            source: `https://${cluster.status?.ignitionEndpoint ?? ''}/ignition`,
            httpHeaders: [
              { name: 'Authorization', value: `Bearer ${encoded(token)}` },
              { name: 'NodePool', value: key },
              { name: 'TargetConfigVersionHash', value: target.hash },
            ],
          },
        ],
      },
      security: { tls: { certificateAuthorities: [{ source: `data:text/plain;base64,${ignitionCA?.data?.['tls.crt'] ?? ''}` }] } },
      ...(proxy === undefined ? {} : { proxy }),
    },
  }
}

function proxyOf(cluster: HostedCluster): object | undefined {
  const { httpProxy, httpsProxy } = cluster.spec.configuration?.proxy ?? {}
  const noProxy = noProxyOf(cluster)
  if (noProxy === undefined) return undefined
  return { ...(httpProxy ? { httpProxy } : {}), ...(httpsProxy ? { httpsProxy } : {}), noProxy: noProxy.split(',') }
}
