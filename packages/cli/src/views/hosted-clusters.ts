import { HostedCluster } from '@windlass/api'
import { Failure } from '../failures.ts'
import type { MemberAnswers } from './every-member.ts'
import type { Source } from './source.ts'

/** How a person names a hosted cluster: by name alone, or as `namespace/name`. */
export interface ClusterName {
  /** All namespaces without it. */
  readonly namespace?: string
  readonly name: string
}

/** `prod`, `clusters/prod`, or `prod` with `-n clusters`. Both ways at once must agree. */
export function clusterName(text: string, namespace?: string): ClusterName {
  const parts = text.split('/')
  const [first = '', second] = parts
  if (parts.length > 2 || parts.includes('')) throw new Failure(`"${text}" names no hosted cluster: write NAME, or NAMESPACE/NAME`)
  if (second === undefined) return namespace === undefined ? { name: first } : { namespace, name: first }
  if (namespace !== undefined && namespace !== first) throw new Failure(`${text} is not in the namespace ${namespace}: leave -n out`)
  return { namespace: first, name: second }
}

/** The same with the member that it is of: `east/clusters/prod`. */
export interface ClusterPlace extends ClusterName {
  /** All members without it. */
  readonly member?: string
}

export function clusterPlace(text: string, namespace?: string): ClusterPlace {
  const parts = text.split('/')
  const [member = '', ...rest] = parts
  if (parts.length !== 3 || member === '') return clusterName(text, namespace)
  return { member, ...clusterName(rest.join('/'), namespace) }
}

/** What one member has of a name, and, where that is nothing, what else it has. */
export interface Found {
  readonly clusters: readonly HostedCluster[]
  readonly others: readonly string[]
}

export async function lookFor(source: Source, { namespace, name }: ClusterName): Promise<Found> {
  const clusters = await source.list(HostedCluster, { name, ...(namespace === undefined ? {} : { namespace }) })
  return { clusters, others: clusters.length > 0 ? [] : (await source.list(HostedCluster)).map(keyOf) }
}

/**
 * The only cluster of a name in all members that were asked.
 *
 * # Errors
 *
 * `Failure`, with what to do, when there is none or when there are several. It may be where nobody could look.
 */
export function onlyOne(
  { answers, lost }: MemberAnswers<Found>,
  wanted: ClusterName,
): { readonly member: string; readonly cluster: HostedCluster } {
  const found = answers.flatMap(({ member, answer }) => answer.clusters.map((cluster) => ({ member, cluster })))
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first
  if (new Set(found.map(({ member }) => member)).size > 1) {
    const ids = found.map(({ member, cluster }) => `${member}/${keyOf(cluster)}`).join(', ')
    throw new Failure(`there are ${found.length} hosted clusters named ${wanted.name}: ${ids}. Say which one as MEMBER/NAMESPACE/NAME`)
  }
  if (first !== undefined)
    return {
      member: first.member,
      cluster:
        oneOf(
          found.map(({ cluster }) => cluster),
          wanted,
        ) ?? first.cluster,
    }
  const unknown = lost.length === 0 ? '' : `; nothing is known of ${lost.map(({ member }) => member).join(', ')}, where it may be`
  return missing(
    wanted,
    answers.flatMap(({ answer }) => answer.others),
    unknown,
  )
}

/**
 * The hosted cluster of a name.
 *
 * # Errors
 *
 * `Failure`, with what to do, when there is none or when there are several.
 */
export async function findHostedCluster(source: Source, wanted: ClusterName): Promise<HostedCluster> {
  const found = oneOf(await source.list(HostedCluster, wanted), wanted)
  return found ?? missing(wanted, (await source.list(HostedCluster)).map(keyOf))
}

/** The only one; undefined when there is none. */
export function oneOf(found: readonly HostedCluster[], { name }: ClusterName): HostedCluster | undefined {
  const [first, ...others] = found
  if (others.length === 0) return first
  const names = found.map(keyOf).toSorted().join(', ')
  throw new Failure(`there are ${found.length} hosted clusters named ${name}: ${names}. Choose one with -n`)
}

/** How many are named to somebody who asked for one that is not there. */
const shown = 5

export function missing({ namespace, name }: ClusterName, names: readonly string[], unknown = ''): never {
  const place = namespace === undefined ? '' : ` in the namespace ${namespace}`
  const problem = `there is no hosted cluster ${name}${place}`
  if (names.length === 0) throw new Failure(`${problem}, nor any other: choose another cluster with --kubeconfig or --context${unknown}`)
  const some = names.slice(0, shown).join(', ')
  const rest = names.length > shown ? ' and others; kubectl get hostedclusters -A lists them all' : ''
  throw new Failure(`${problem}: there are ${some}${rest}${unknown}`)
}

export function keyOf({ metadata: { namespace = '', name = '' } }: HostedCluster): string {
  return `${namespace}/${name}`
}
