import type { ClusterVersion } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { injected, type Injection } from '../injections/index.ts'
import { say, type Said } from './condition.ts'
import type { Operators } from './hold-ups.ts'

interface Objection {
  readonly reason: string
  readonly message: string
}

/** What stands against the next minor. A cluster that has no objection says nothing: there is no such condition then. */
export function objections(
  { spec }: ClusterVersion,
  operators: Operators,
  injections: readonly Injection<'ClusterVersion'>[],
): Said | undefined {
  const all = [...ofAdministrators(spec), ...asAsked(injections), ...ofOperators(operators)]
  const [first, ...others] = all
  if (first === undefined) return undefined
  if (others.length === 0) return say('Upgradeable', 'False', first.reason, first.message)
  const message = `Cluster should not be upgraded between minor versions for multiple reasons: ${all.map(({ reason }) => reason).join(',')}\n${all.map((each) => `* ${each.message}`).join('\n')}`
  return say('Upgradeable', 'False', 'MultipleReasons', message)
}

function ofAdministrators({ overrides = [] }: ClusterVersion['spec']): readonly Objection[] {
  if (!overrides.some(({ unmanaged }) => unmanaged)) return []
  const message = 'Disabling ownership via cluster version overrides prevents upgrades. Please remove overrides before continuing.'
  return [{ reason: 'ClusterVersionOverridesSet', message }]
}

function asAsked(injections: readonly Injection<'ClusterVersion'>[]): readonly Objection[] {
  const injection = injected(injections, 'not-upgradeable')
  return injection === undefined
    ? []
    : [{ reason: injection.reason ?? 'AdminAckRequired', message: 'An administrator has to acknowledge what the next minor removes.' }]
}

function ofOperators(operators: Operators): readonly Objection[] {
  return [...operators]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { status }]) => {
      const condition = findCondition(status?.conditions, 'Upgradeable')
      if (condition?.status !== 'False') return []
      const message = `Cluster operator ${name} should not be upgraded between minor versions: ${condition.message ?? ''}`
      return [{ reason: condition.reason ?? 'NotUpgradeable', message }]
    })
}
