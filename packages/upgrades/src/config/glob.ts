/**
 * Shell patterns as Go's `path.Match` knows them: `*` and `?` (neither crosses a `/`), `[a-z]`, `[^a]`, and a backslash that takes the next character as it
 * is. The whole text must match. There are no braces and no `**`.
 *
 * Undefined for a malformed pattern.
 */
export function globToRegExp(pattern: string): RegExp | undefined {
  const characters = Array.from(pattern)
  let source = ''
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? ''
    if (character === '*') source += '[^/]*'
    else if (character === '?') source += '[^/]'
    else if (character === '[') {
      const group = readGroup(characters, index + 1)
      if (group === undefined) return undefined
      source += group.source
      index = group.end
    } else if (character === '\\') {
      const next = characters[++index]
      if (next === undefined) return undefined
      source += escaped(next)
    } else source += escaped(character)
  }
  return new RegExp(`^${source}$`, 'su')
}

/** Whether a text matches one of the patterns. A malformed one matches nothing; the configuration does not let it come this far. */
export function matchesAnyGlob(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => globToRegExp(pattern)?.test(text) === true)
}

/** A bracket group from behind its `[`; `end` is where its `]` is. */
function readGroup(characters: readonly string[], start: number): { readonly source: string; readonly end: number } | undefined {
  const isNegated = characters[start] === '^'
  let index = isNegated ? start + 1 : start
  let ranges = ''
  while (characters[index] !== ']' || ranges === '') {
    const low = readMember(characters, index)
    if (low === undefined) return undefined
    index = low.next
    let high = low
    if (characters[index] === '-') {
      const end = readMember(characters, index + 1)
      if (end === undefined || end.member < low.member) return undefined
      high = end
      index = end.next
    }
    ranges += `${escaped(low.member)}-${escaped(high.member)}`
  }
  return { source: `[${isNegated ? '^' : ''}${ranges}]`, end: index }
}

function readMember(characters: readonly string[], index: number): { readonly member: string; readonly next: number } | undefined {
  const character = characters[index]
  if (character === undefined || character === '-' || character === ']') return undefined
  if (character !== '\\') return { member: character, next: index + 1 }
  const member = characters[index + 1]
  return member === undefined ? undefined : { member, next: index + 2 }
}

/** By its code, which means the same inside and outside of brackets. */
function escaped(character: string): string {
  return /\w/.test(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
