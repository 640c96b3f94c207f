import { compareVersions } from '../version/order.ts'
import { hasCountedMinor, normalisedMinor, type Version } from '../version/version.ts'
import type { SkewRange, VersionWindow } from './range.ts'

export type SkewAnswer = 'Supported' | 'TooOld' | 'TooNew' | 'Unknown'

/** Whether nodes of a version are supported, and by what that was judged. */
export interface SkewVerdict {
  readonly answer: SkewAnswer
  readonly version: Version
  readonly window: 'tolerated' | 'safe'
  /** Undefined when there was nothing to judge by. */
  readonly range: SkewRange | undefined
}

/** `tolerated` asks whether nodes may stay at a version, `safe` whether they may go there now. */
export function judgeSkew(version: Version, range: SkewRange | undefined, window: SkewVerdict['window'] = 'tolerated'): SkewVerdict {
  return { answer: range === undefined ? 'Unknown' : answerOf(version, range[window]), version, window, range }
}

function answerOf(version: Version, { lowestMinor, max }: VersionWindow): SkewAnswer {
  if (!hasCountedMinor(version)) return 'Unknown'
  if (compareVersions(version, max) > 0) return 'TooNew'
  return normalisedMinor(version) < lowestMinor ? 'TooOld' : 'Supported'
}

/** The verdict in a sentence: what it is, why, and by what it was judged. */
export function explainSkew({ answer, version, window, range }: SkewVerdict): string {
  if (range === undefined) return `${version.text} cannot be judged: the versions of the control plane are not known`
  const { min, max, isEmpty } = range[window]
  const basis = `by policy ${range.policy}, with ${range.active.map(({ text }) => text).join(', ')} active in the control plane`
  if (isEmpty) return `no version is safe now: finish the update of the control plane first (${basis})`
  const sentences: Readonly<Record<SkewAnswer, string>> = {
    Supported: `${version.text} is supported (${basis})`,
    TooNew: `${version.text} is above ${max.text}, the highest version that nodes may have (${basis})`,
    TooOld: `${version.text} is below ${min}, the lowest minor that nodes may have (${basis})`,
    Unknown: `${version.text} cannot be judged: minors are counted in 4.x and 5.x only`,
  }
  return sentences[answer]
}
