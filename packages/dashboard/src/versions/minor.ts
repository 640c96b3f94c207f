import { compareVersions, tryParseVersion, type Version } from '@windlass/core'

/** Few versions, asked for again and again. */
const parsed = new Map<string, Version | undefined>()

function versionOf(text: string): Version | undefined {
  if (!parsed.has(text)) parsed.set(text, tryParseVersion(text))
  return parsed.get(text)
}

/** `4.20` of `4.20.3`; the empty text for what is no version. */
export function minorOf(text: string): string {
  const version = versionOf(text)
  return version === undefined ? '' : `${version.major}.${version.minor}`
}

/** Oldest first; what is no version, or not known, before all of them. */
export function compareVersionTexts(a: string, b: string): number {
  const [left, right] = [versionOf(a), versionOf(b)]
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined)
  return compareVersions(left, right)
}
