/** Three spaces: what `oc` puts between columns, and `kubectl` too. */
const gap = '   '

/**
 * Cells as lines: every column as wide as its widest cell, to the left, nothing at the end of a line. A cell is one line; what has more is the business
 * of whoever makes the cell.
 */
export function tableLines(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}
