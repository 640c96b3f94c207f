/** How a registry asks for credentials. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string
  /** Names in lower case: `realm`, `service`, `scope`. */
  readonly parameters: ReadonlyMap<string, string>
}

const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y
const quoted = /"((?:[^"\\]|\\.)*)"/y
const blanks = /[ \t]*/y

/**
 * Reads a WWW-Authenticate header: one or several challenges, each a scheme and parameters. Commas separate both parameters and
 * challenges; a word is a scheme when no `=` follows it.
 *
 * What cannot be read ends the list: half a header is better than none.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(header)
    if (match !== null) at = pattern.lastIndex
    return match ?? undefined
  }
  const takeCharacter = (character: string): boolean => {
    take(blanks)
    if (header[at] !== character) return false
    at++
    take(blanks)
    return true
  }

  for (;;) {
    while (takeCharacter(',')) {
      // Empty elements are allowed, and mean nothing.
    }
    take(blanks)
    const word = take(token)?.[0]
    if (word === undefined) return challenges
    if (!takeCharacter('=')) {
      challenges.push({ scheme: word.toLowerCase(), parameters: new Map() })
      continue
    }
    const text = take(quoted)?.[1]?.replace(/\\(.)/g, '$1') ?? take(token)?.[0]
    if (text === undefined) return challenges
    challenges.at(-1)?.parameters.set(word.toLowerCase(), text)
  }
}
