import type { Output } from '../output.ts'

export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'dim'

/** A text in a colour; the text itself where there are none. */
export type Paint = (text: string, colour?: Colour) => string

const escape = '\u001B'
const end = `${escape}[0m`
const codes: Readonly<Record<Colour, number>> = { red: 31, yellow: 33, green: 32, blue: 34, dim: 2 }

export const plain: Paint = (text) => text

const painted: Paint = (text, colour) => (colour === undefined || text === '' ? text : `${escape}[${codes[colour]}m${text}${end}`)

/** Colours only where somebody looks and wants them: not in files, not with `NO_COLOR`. */
export function paintFor({ terminal }: Output): Paint {
  return terminal?.hasColours === true ? painted : plain
}

const escapes = new RegExp(`(${escape}\\[[\\d;]*m)`, 'g')

/** How much of a line is seen. */
export function visibleLength(line: string): number {
  return line.replaceAll(escapes, '').length
}

/** The beginning of a line, as much as fits; what is cut off in a colour does not stain what follows. */
export function cut(line: string, columns: number): string {
  if (visibleLength(line) <= columns) return line
  let room = Math.max(0, columns - 1)
  let result = ''
  let hasColour = false
  for (const piece of line.split(escapes)) {
    if (piece.startsWith(`${escape}[`)) {
      hasColour = piece !== end
      result += piece
      continue
    }
    result += piece.slice(0, room)
    room -= piece.length
    if (room <= 0) break
  }
  return `${result}…${hasColour ? end : ''}`
}
