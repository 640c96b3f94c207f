import type { capi, NodePool } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { Annotation } from '../wire.ts'

type Status = NonNullable<NodePool['status']>
export type NodesInfo = NonNullable<Status['nodesInfo']>
type NodeVersions = NodesInfo['nodeVersions'][number]

/**
 * What the nodes of a pool run, counted. Undefined when there are none: the schema refuses an empty list.
 *
 * A machine whose version nobody knows is not counted: the schema would refuse the entry, and with it the whole status.
 */
export function nodesInfoOf(machines: readonly capi.Machine[], status: Status | undefined): NodesInfo | undefined {
  const counts = new Map<string, NodeVersions>()
  for (const { metadata, status: seen } of machines) {
    const kubeletVersion = seen?.nodeInfo?.kubeletVersion ?? ''
    const ocpVersion = metadata.annotations?.[Annotation.releaseVersion] ?? status?.version ?? ''
    if (kubeletVersion === '' || ocpVersion === '') continue
    const key = `${ocpVersion} ${kubeletVersion}`
    const { readyNodeCount, unreadyNodeCount } = counts.get(key) ?? { readyNodeCount: 0, unreadyNodeCount: 0 }
    const isReady = isTrue(seen?.conditions, 'NodeHealthy')
    counts.set(key, {
      ocpVersion,
      kubeletVersion,
      readyNodeCount: readyNodeCount + (isReady ? 1 : 0),
      unreadyNodeCount: unreadyNodeCount + (isReady ? 0 : 1),
    })
  }
  if (counts.size === 0) return undefined
  const nodeVersions = [...counts.values()].toSorted(
    (a, b) => compare(a.ocpVersion, b.ocpVersion) || compare(a.kubeletVersion, b.kubeletVersion),
  )
  return { nodeVersions }
}

type StreamName = NonNullable<Status['osImageStream']>['name']

/** `… CoreOS 9.6.2026…` or, in older releases, `… CoreOS 419.96.…`. */
const streams: readonly (readonly [pattern: RegExp, stream: StreamName])[] = [
  [/ CoreOS (?:4\d\d|9)\./, 'rhel-9'],
  [/ CoreOS (?:5\d\d|10)\./, 'rhel-10'],
]

/** The stream that more than half of the machines run. While they are divided it stays what it was. */
export function osImageStreamOf(machines: readonly capi.Machine[], status: Status | undefined): Status['osImageStream'] {
  const known = machines.flatMap(({ status: seen }) => streamOf(seen?.nodeInfo?.osImage ?? '') ?? [])
  const majority = streams.map(([, stream]) => stream).find((stream) => known.filter((each) => each === stream).length * 2 > known.length)
  if (majority === undefined || status?.osImageStream?.name === majority) return status?.osImageStream
  return { name: majority }
}

function streamOf(osImage: string): StreamName | undefined {
  return streams.find(([pattern]) => pattern.test(osImage))?.[1]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
