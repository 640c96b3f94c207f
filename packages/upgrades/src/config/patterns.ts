import { RE2JS } from 're2js'

/** A pattern that may match anywhere in a text. */
export type Pattern = (text: string) => boolean

/**
 * Patterns of namespaces are in RE2's syntax, unanchored, perhaps with `(?i)` in front, which JavaScript's expressions do not know. RE2 also takes no longer for
 * a pattern that somebody got wrong.
 *
 * Undefined when the pattern does not compile.
 */
export function compilePattern(pattern: string): Pattern | undefined {
  try {
    const compiled = RE2JS.compile(pattern)
    return (text) => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}
