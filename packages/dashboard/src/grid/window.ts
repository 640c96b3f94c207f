/** A long list in a window: all rows are equally high, and only those near the window are drawn. */
export interface Viewport {
  /** How far the top of the window is below the top of the list; negative while the list begins further down. */
  readonly offset: number
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

/** From `first` up to, not including, `end`. */
export interface RowRange {
  readonly first: number
  readonly end: number
}

/** Rows that are drawn above and below at least, so that a scroll finds something there. The range moves by as many at once. */
const margin = 8

/**
 * The rows to draw. They move in steps, so that most scrolls draw nothing new at all, and there are always equally many, so that those that are scrolled out on one side
 * can be used again on the other.
 */
export function visibleRows(viewport: Viewport): RowRange {
  const { offset, rowHeight, count } = viewport
  const first = Math.floor((Math.floor(offset / rowHeight) - margin) / margin) * margin
  return { first: clamp(first, 0, count), end: clamp(first + drawnRows(viewport), 0, count) }
}

/** How many rows are drawn of a list that goes on above and below. */
export function drawnRows({ height, rowHeight }: Pick<Viewport, 'height' | 'rowHeight'>): number {
  return Math.ceil((Math.ceil(height / rowHeight) + 1) / margin) * margin + 3 * margin
}

/** How far the list must be scrolled for a row to be seen whole, given that something stands over the top of the window; undefined when it is. */
export function offsetShowing(index: number, { offset, height, rowHeight }: Viewport, covered: number): number | undefined {
  const top = index * rowHeight
  if (top < offset + covered) return top - covered
  if (top + rowHeight > offset + height) return top + rowHeight - height
  return undefined
}

/** Where a key takes somebody who is at `index`; undefined for keys that do not move. */
export function moveBy(key: string, index: number, count: number, page: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  const target = Object.hasOwn(moves, key) ? moves[key] : undefined
  return target === undefined || count === 0 ? undefined : clamp(target, 0, count - 1)
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
