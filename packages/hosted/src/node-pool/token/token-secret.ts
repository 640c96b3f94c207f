import type { ConfigMap, JsonObject, Secret } from '@windlass/api'
import { mergePatchBetween } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { canonicalJson } from '../../components/hash.ts'
import { hashOfBytes, hashOfText } from '../hash.ts'
import type { Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import { Annotation, ClusterAnnotation } from '../wire.ts'
import { encoded, formatPreciseTime, packed } from './encoding.ts'

/**
 * The Secret that tells the ignition server for whom a payload is to be made, and under which token machines get it.
 *
 * Most of it is written once. To write it again would change the token under machines that are starting, and take away what the token controller has
 * put there.
 */
export function newTokenSecret(seen: Seen, target: Target, token: string): Draft<Secret> {
  return {
    metadata: {
      name: target.tokenSecret,
      namespace: seen.namespace,
      annotations: { ...keptAnnotations(seen), [Annotation.tokenGenerated]: formatPreciseTime(seen.now) },
    },
    immutable: false,
    data: {
      token: encoded(token),
      release: encoded(target.pullspec),
      'release-version': encoded(target.version.text),
      config: encoded(packed(target.raw)),
      'pull-secret-hash': encoded(pullSecretHash(seen.pullSecret)),
      'additional-trust-bundle-hash': encoded(hashOfText(seen.trustBundle?.data?.['ca-bundle.crt'] ?? '')),
      'os-stream': encoded(target.osStream),
      ...refreshedData(seen),
    },
  }
}

/** What the Secret of the target lacks, as a patch; undefined when it lacks nothing. A mark that it expires goes: it is in use. */
export function tokenSecretPatch(seen: Seen, live: Secret): JsonObject | undefined {
  const { [Annotation.tokenExpires]: _, ...annotations } = live.metadata.annotations ?? {}
  const after = {
    ...live,
    metadata: { ...live.metadata, annotations: { ...annotations, ...keptAnnotations(seen) } },
    data: { ...live.data, ...refreshedData(seen) },
  }
  return mergePatchBetween(live, after)
}

function keptAnnotations({ pool, cluster, key }: Seen): Readonly<Record<string, string>> {
  const isRestored = cluster.metadata.annotations?.[ClusterAnnotation.restoredFromBackup] !== undefined
  return {
    [Annotation.ignitionConfig]: 'true',
    [Annotation.upgradeType]: pool.spec.management.upgradeType,
    [Annotation.nodePool]: key,
    // Its machines run already: no machine will ask for a payload, and nothing must wait for that.
    ...(isRestored ? { [Annotation.ignitionReached]: 'True' } : {}),
  }
}

/** What may change without nodes being made anew: the ignition server compares it before it makes a payload. */
function refreshedData({ cluster, cloudConfig }: Seen): Readonly<Record<string, string>> {
  return {
    'hc-configuration-hash': encoded(hashOfText(canonicalJson(cluster.spec.configuration ?? null))),
    'cloud-config-hash': encoded(cloudConfigHash(cloudConfig)),
  }
}

function pullSecretHash(secret: Secret | undefined): string {
  return hashOfBytes(Buffer.from(secret?.data?.['.dockerconfigjson'] ?? '', 'base64'))
}

/** Empty where a cloud has no such configuration. */
export function cloudConfigHash(configMap: ConfigMap | undefined): string {
  if (configMap === undefined) return ''
  const entries = Object.entries(configMap.data ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hashOfText(entries.map(([key, value]) => `${key}\0${value}\0`).join(''))
}
