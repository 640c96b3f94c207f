import type { SkewPolicy, SkewSource } from '@windlass/core'
import type { ManagementSettings, NodePoolSettings } from '@windlass/hosted'
import type { OperatorFlags } from '../commands/operator.ts'

/** How hosted clusters and their pools are run, where it can be chosen. */
export interface HostedSettings {
  readonly management: Pick<ManagementSettings, 'aws' | 'enforcesSequentialMinors'>
  /** Only control planes that are to run this very release. */
  readonly onlyRelease?: string
  /** Only clusters of this scope; all of them without it. */
  readonly scope?: string
  readonly nodePools: Partial<Pick<NodePoolSettings, 'mode'>> & { readonly policy?: SkewPolicy; readonly source?: SkewSource }
}

type HostedFlags = Pick<OperatorFlags, 'observe' | 'enforceSequentialMinor' | 'skewPolicy' | 'skewSource' | 'nodePools'>

/** Names of the environment are those of HyperShift's operators. */
export function hostedSettings(flags: HostedFlags, env: Readonly<Record<string, string | undefined>>): HostedSettings {
  const region = env['AWS_REGION'] || undefined
  const onlyRelease = env['OPERATE_ON_RELEASE_IMAGE'] || undefined
  const { skewPolicy: policy, skewSource: source } = flags
  const isObserving = flags.observe === true || flags.nodePools === 'observe'
  return {
    management: {
      aws: { region, hasCredentials: Boolean(env['AWS_SHARED_CREDENTIALS_FILE']) },
      enforcesSequentialMinors: flags.enforceSequentialMinor === true,
    },
    nodePools: {
      mode: isObserving ? 'Observe' : 'Manage',
      ...(policy === undefined ? {} : { policy }),
      ...(source === undefined ? {} : { source }),
    },
    ...(onlyRelease === undefined ? {} : { onlyRelease }),
    ...(env['ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING'] === 'true' ? { scope: env['HOSTEDCLUSTERS_SCOPE_ANNOTATION'] ?? '' } : {}),
  }
}
