import type { HostedCluster, NodePool } from '@windlass/api'
import { digestOf, explainSkew, isSameImage, judgeSkew, tryParseVersion, trustedReport } from '@windlass/core'
import type { Lookup } from '../../hosted-cluster/index.ts'
import type { Release } from '../../releases/index.ts'
import type { NodePoolSettings } from '../settings.ts'
import { advisorySkew } from './advisory.ts'
import { skewWindows } from './planner.ts'

/** The release for a pool that does not name one, and what is worth saying about the choice. */
export interface ChosenRelease {
  readonly image: string
  readonly note: string | undefined
}

/**
 * What the cluster asks for may be a release that its control plane has not completed: the gate would refuse it until then. So a new pool gets
 * what has been completed, unless it is to follow its cluster.
 */
export function releaseForNewPool(
  { spec, status }: HostedCluster,
  { source }: NodePoolSettings['skew'],
  { explicit, followCluster = false }: { readonly explicit?: string; readonly followCluster?: boolean } = {},
): ChosenRelease {
  if (explicit !== undefined) return { image: explicit, note: undefined }
  const wanted = spec.release.image
  const history = trustedReport(status ?? {}, source)?.history
  const completed = history?.find(({ state }) => state === 'Completed')
  if (followCluster || completed === undefined || isSameImage(completed.image, wanted)) return { image: wanted, note: undefined }
  // A tag does not tell which release it is. When nothing is under way, it is taken for the one that runs.
  if (completed === history?.[0] && digestOf(wanted) === undefined) return { image: completed.image, note: undefined }
  const note = `the control plane has completed ${completed.version}, and not ${wanted} yet: the pool gets ${completed.image}`
  return { image: completed.image, note }
}

export interface NewPool {
  /** Undefined when it does not exist yet: then nothing can be checked. */
  readonly cluster: HostedCluster | undefined
  readonly pool: NodePool
  /** Whether a pool of that name exists. */
  readonly isNameTaken: boolean
  /** Undefined when the registry cannot be reached. */
  readonly release: Lookup<Release> | undefined
  readonly skew: NodePoolSettings['skew']
  /** Makes an error of what is only not safe now. */
  readonly isStrict: boolean
}

export interface NewPoolVerdict {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

type Check = (request: NewPool, cluster: HostedCluster) => { readonly error?: string; readonly warning?: string }

const checks: readonly Check[] = [
  ({ pool }, { status }) => {
    const { arch = 'amd64' } = pool.spec
    const payload = status?.payloadArch ?? ''
    if (payload === '') return { warning: 'the architecture of the HostedCluster payload is not known, and is not checked' }
    if (payload === 'Multi' || payload.toLowerCase() === arch) return {}
    return { error: `NodePool CPU arch ${arch} is not supported by the HostedCluster payload type ${payload}` }
  },
  ({ pool }, { spec }) => {
    const [own, clusters] = [pool.spec.platform.type, spec.platform.type]
    return own === clusters ? {} : { error: `NodePool platform type ${own} must be HostedCluster type ${clusters}` }
  },
  ({ pool, isNameTaken }) =>
    isNameTaken
      ? { error: `NodePool ${pool.metadata.namespace ?? ''}/${pool.metadata.name ?? ''} already exists; choose another name` }
      : {},
  ({ release, skew }, cluster) => {
    if (release === undefined) return { warning: 'the release image cannot be looked up, and its version skew is not checked' }
    const { status, message } = advisorySkew(cluster, release, skew)
    return status === 'True' ? {} : status === 'False' ? { error: message } : { warning: message }
  },
  ({ release, skew, isStrict }, cluster) => {
    const version = release?.is === 'found' ? tryParseVersion(release.value.version) : undefined
    if (version === undefined) return {}
    const verdict = judgeSkew(version, skewWindows(cluster, skew), 'safe')
    if (verdict.answer === 'Supported' || verdict.range === undefined) return {}
    return isStrict ? { error: explainSkew(verdict) } : { warning: explainSkew(verdict) }
  },
]

/** What is to be said about a pool before it is created, in the order in which it is checked. */
export function checkNewPool(request: NewPool): NewPoolVerdict {
  const { cluster } = request
  if (cluster === undefined) {
    return { errors: [], warnings: [`HostedCluster ${request.pool.spec.clusterName} is not found: nothing is checked until it exists`] }
  }
  const results = checks.map((check) => check(request, cluster))
  return { errors: results.flatMap(({ error }) => error ?? []), warnings: results.flatMap(({ warning }) => warning ?? []) }
}

/** Platforms on which machines cannot be made and thrown away at will. */
const staysOn: ReadonlySet<string> = new Set(['Agent', 'None'])

export function defaultUpgradeType(platform: string): NodePool['spec']['management']['upgradeType'] {
  return staysOn.has(platform) ? 'InPlace' : 'Replace'
}
