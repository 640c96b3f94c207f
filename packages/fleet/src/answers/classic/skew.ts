import type { ClusterVersion } from '@windlass/api'
import { activeVersions, judgeSkew, leftBehind, type SkewRange, skewRange, tryParseVersion, type Version } from '@windlass/core'
import type { NodeCount, SkewVerdict } from '../../contract/index.ts'
import type { Yardstick } from '../parts.ts'
import { nextMinor } from '../skew.ts'

/** Which versions nodes may have, by what may run in the control plane; undefined when that is not known. */
export function classicRange({ status }: ClusterVersion, { skew }: Yardstick): SkewRange | undefined {
  return skewRange(activeVersions(status?.history), skew.policy)
}

/** The verdict on all nodes of a cluster. Nodes that nobody may see may be anywhere. */
export function skewOfNodes({ versions, unknownBecause }: NodeCount, range: SkewRange | undefined): SkewVerdict {
  const verdict = skewOfVersions(
    versions.map(({ version }) => version),
    range,
  )
  return unknownBecause === undefined || verdict === 'Violated' ? verdict : 'Unknown'
}

/** The verdict on versions that nodes have. Where there are no nodes, none is in the wrong place. */
export function skewOfVersions(texts: readonly string[], range: SkewRange | undefined): SkewVerdict {
  if (texts.length === 0) return 'Allowed'
  const versions = texts.map((text) => tryParseVersion(text)).filter((version): version is Version => version !== undefined)
  const answers = versions.map((version) => judgeSkew(version, range).answer)
  if (answers.some((answer) => answer === 'TooOld' || answer === 'TooNew')) return 'Violated'
  if (range === undefined || answers.includes('Unknown') || versions.length < texts.length) return 'Unknown'
  return leftBehind([{ name: '', versions }], nextMinor(range.highest), range.policy).length > 0 ? 'AtLimit' : 'Allowed'
}
