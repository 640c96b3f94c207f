import type { HostedCluster, NodePool } from '@windlass/api'
import { hashOfText } from './hash.ts'

const longestResourcesName = 43
const longestObjectName = 253

/** `<namespace>/<name>`: the value of the annotation that leads from an object to its pool. */
export function poolKeyOf({ metadata: { namespace = '', name = '' } }: Pick<NodePool, 'metadata'>): string {
  return `${namespace}/${name}`
}

/** Label, and value of that label, that selects the machines of a pool. */
export function resourcesNameOf(cluster: HostedCluster, { metadata, spec }: NodePool): string {
  return shortName(`${cluster.spec.infraID ?? ''}-${spec.clusterName}`, metadata.name ?? '', longestResourcesName)
}

export function tokenSecretName(pool: string, hash: string): string {
  return `token-${pool}-${hash}`
}

export function userDataSecretName(pool: string, hash: string): string {
  return `user-data-${pool}-${hash}`
}

export function spotHealthCheckName(pool: string): string {
  return `${pool}-spot`
}

/** Machine templates: `hash` is that of their contents. */
export function templateName(pool: string, hash: string): string {
  return shortName(pool, hash, longestObjectName)
}

/**
 * Two names as one that is not too long. The second part stays whole if it can; what is cut off is replaced by a hash, so that two long names stay
 * two.
 */
export function shortName(base: string, suffix: string, longest: number): string {
  const whole = `${base}-${suffix}`
  if (whole.length <= longest) return whole
  const kept = longest - 10 - suffix.length
  if (kept >= 1) return `${base.slice(0, kept)}-${hashOfText(base)}-${suffix}`
  return `${base.slice(0, longest - 9)}-${hashOfText(whole)}`.slice(0, longest)
}
