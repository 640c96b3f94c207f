import type { Version } from './version.ts'

/** The minor stream a version belongs to, as written: `4.20`. */
export type Stream = `${number}.${number}`

/** Thrown when a text is no `major.minor`. */
export class InvalidStreamError extends Error {
  override readonly name = 'InvalidStreamError'
  readonly text: string

  constructor(text: string) {
    super(`"${text}" is not a minor stream: expected two numbers, as in 4.20`)
    this.text = text
  }
}

export function streamOf({ major, minor }: Pick<Version, 'major' | 'minor'>): Stream {
  return `${major}.${minor}`
}

export function parseStream(text: string): Pick<Version, 'major' | 'minor'> {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text)
  if (match === null) throw new InvalidStreamError(text)
  return { major: Number(match[1]), minor: Number(match[2]) }
}

/** Same major and same minor, as written: 4.23 and 5.0 are two streams even though they are one release. */
export function isSameStream(a: Version, b: Version): boolean {
  return a.major === b.major && a.minor === b.minor
}
