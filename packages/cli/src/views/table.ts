import type { Colour, Paint } from './colours.ts'

/** Three spaces: what `oc` puts between columns, and `kubectl` too. */
const gap = '   '

/** Text, perhaps in a colour. */
export type Cell = string | { readonly text: string; readonly colour?: Colour }

/**
 * Cells as lines: every column as wide as its widest cell, to the left, nothing at the end of a line. A cell is one line; what has more is the business
 * of whoever makes the cell. Colours are those of `paint`, and none without it.
 */
export function tableLines(header: readonly string[], rows: readonly (readonly Cell[])[], paint?: Paint): readonly string[] {
  const texts = [header, ...rows.map((row) => row.map(textOf))]
  const widths = header.map((_, column) => texts.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  return [header, ...rows].map((row) => {
    const last = row.findLastIndex((cell) => textOf(cell) !== '')
    return row
      .slice(0, last + 1)
      .map((cell, column) => painted(cell, paint) + ' '.repeat(column === last ? 0 : (widths[column] ?? 0) - textOf(cell).length))
      .join(gap)
  })
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}

function painted(cell: Cell, paint: Paint | undefined): string {
  return typeof cell === 'string' || paint === undefined ? textOf(cell) : paint(cell.text, cell.colour)
}
