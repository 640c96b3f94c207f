import type { HostedCluster } from '@windlass/api'
import { expectedConditions, failureLabel, failuresOf } from './healthy.ts'
import type { FamilyName } from './families.ts'
import { lineOf } from './series.ts'

/** Every platform is there, so that a rule finds a 0 where there are none. */
export const platforms: readonly string[] = ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None', 'OpenStack', 'GCP']

/** Every type that OpenShift knows. */
const identityProviders: readonly string[] = [
  'BasicAuth',
  'GitHub',
  'GitLab',
  'Google',
  'HTPasswd',
  'Keystone',
  'LDAP',
  'OpenID',
  'RequestHeader',
]

/** What a cluster adds to figures about all of them. */
export interface Share {
  readonly platform: string
  readonly failures: readonly string[]
  readonly identityProviders: readonly string[]
}

export function shareOf(cluster: HostedCluster): Share {
  const { type: platform } = cluster.spec.platform
  return { platform, failures: failuresOf(cluster), identityProviders: identityProvidersOf(cluster) }
}

/** Figures about all clusters, kept as clusters come, change and go. */
export class Counts {
  readonly #platforms = new Map<string, number>(platforms.map((platform) => [platform, 0]))
  /** By platform, then by condition: those of a platform with clusters are all there, as 0 if all is well. */
  readonly #failures = new Map<string, Map<string, number>>()
  readonly #identityProviders = new Map<string, number>(identityProviders.map((type) => [type, 0]))

  add(share: Share, cluster: HostedCluster): void {
    if (!this.#failures.has(share.platform)) {
      const known = Object.entries(expectedConditions(cluster)).map(([type, expected]) => [failureLabel(type, expected), 0] as const)
      this.#failures.set(share.platform, new Map(known))
    }
    this.#count(share, 1)
  }

  remove(share: Share): void {
    this.#count(share, -1)
  }

  #count({ platform, failures, identityProviders: providers }: Share, by: 1 | -1): void {
    change(this.#platforms, platform, by)
    const known = this.#failures.get(platform)
    if (known !== undefined) for (const failure of failures) change(known, failure, by)
    for (const type of providers) change(this.#identityProviders, type, by)
  }

  lines(): readonly { readonly family: FamilyName; readonly text: string }[] {
    const failures = text(this.#failures, (platform, conditions) =>
      (this.#platforms.get(platform) ?? 0) === 0
        ? ''
        : text(conditions, (condition, count) => lineOf('hypershift_hostedclusters_failure_conditions', { platform, condition }, count)),
    )
    return [
      line('hypershift_hostedclusters', 'platform', this.#platforms),
      { family: 'hypershift_hostedclusters_failure_conditions', text: failures },
      line('hypershift_cluster_identity_providers', 'identity_provider', this.#identityProviders),
    ]
  }
}

function line(family: FamilyName, label: string, counts: ReadonlyMap<string, number>) {
  return { family, text: text(counts, (value, count) => lineOf(family, { [label]: value }, count)) }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function text<V>(of: ReadonlyMap<string, V>, line: (key: string, value: V) => string): string {
  return [...of].map(([key, value]) => line(key, value)).join('')
}

/** What the guest is configured with is passed through as it is, and so may hold anything. A type that nobody knows is `Other`: labels do not come from people. */
function identityProvidersOf({ spec }: HostedCluster): readonly string[] {
  const listed: unknown = spec.configuration?.oauth?.['identityProviders']
  if (!Array.isArray(listed)) return []
  return listed.map((provider: unknown) => {
    const type = typeof provider === 'object' && provider !== null && 'type' in provider ? provider.type : undefined
    return identityProviders.find((known) => known === type) ?? 'Other'
  })
}
