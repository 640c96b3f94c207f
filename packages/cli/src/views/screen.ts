import type { Terminal } from '../output.ts'
import { cut } from './colours.ts'

/** Writes lines over those that were written before. */
export interface Screen {
  draw(lines: readonly string[]): void
}

/**
 * A terminal on which one view follows another in the same place.
 *
 * Lines that do not fit are cut: a line that wraps, or a page that scrolls, would make the next drawing begin in the wrong place.
 */
export function terminalScreen(write: (text: string) => void, terminal: () => Pick<Terminal, 'columns' | 'rows'>): Screen {
  let drawn = 0
  return {
    draw(lines) {
      const fitting = fitted(lines, terminal())
      // Up to the first line of the last drawing, then away with everything below.
      write(`${drawn === 0 ? '' : `\u001B[${drawn}A\u001B[J`}${fitting.join('\n')}`)
      drawn = fitting.length
    },
  }
}

/** As many lines, and as much of each, as a terminal can show with the cursor below them. */
export function fitted(lines: readonly string[], { columns, rows }: Pick<Terminal, 'columns' | 'rows'>): readonly string[] {
  const most = Math.max(2, rows - 1)
  const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), `... ${lines.length - most + 1} more lines`]
  return shown.map((line) => cut(line, columns))
}

/** Where nothing can be drawn over, as in a file: each view that differs from the last, after an empty line. */
export function scrollingScreen(write: (text: string) => void): Screen {
  let last: string | undefined
  return {
    draw(lines) {
      const text = lines.join('\n')
      if (text === last) return
      write(last === undefined ? text : `\n${text}`)
      last = text
    },
  }
}
