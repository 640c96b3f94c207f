import type { Colour } from './colours.ts'

/** Words for how something is, of all kinds of objects: the same word has the same colour wherever it stands. */
const colours: Readonly<Record<Colour, readonly string[]>> = {
  green: ['Completed', 'completed', 'Supported', 'Upgraded', 'done', 'yes'],
  blue: ['Progressing', 'Upgrading', 'running', 'Info'],
  yellow: ['Paused', 'Excluded', 'Delayed', 'Unknown', 'Warning', 'superseded'],
  red: ['Stalled', 'Degraded', 'Unavailable', 'Failed', 'failed', 'Error', 'Critical', 'TooOld', 'TooNew', 'no'],
  dim: ['Pending', 'New', 'to come'],
}

const byWord: ReadonlyMap<string, Colour> = new Map(
  Object.entries(colours).flatMap(([colour, words]) => words.map((word) => [word, colour as Colour] as const)),
)

/** A state as a cell. Where the text says more than its state, `word` is that. */
export function stateCell(text: string, word = text): { readonly text: string; readonly colour?: Colour } {
  const colour = byWord.get(word)
  return colour === undefined ? { text } : { text, colour }
}
