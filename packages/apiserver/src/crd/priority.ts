const shape = /^v(\d+)(?:(alpha|beta)(\d+))?$/

const stability: Readonly<Record<string, number>> = { alpha: 1, beta: 2 }

/**
 * Which of two versions clients should prefer: stable ones before beta before alpha, higher numbers first, and names of any other form
 * behind them by alphabet.
 */
export function byPriority(left: string, right: string): number {
  const [a, b] = [rank(left), rank(right)]
  if (a === undefined || b === undefined) {
    if (a !== undefined) return -1
    if (b !== undefined) return 1
    return left < right ? -1 : left > right ? 1 : 0
  }
  for (const [index, mine] of a.entries()) {
    const difference = (b[index] ?? 0) - mine
    if (difference !== 0) return difference
  }
  return 0
}

/** Stability, major, minor. */
function rank(version: string): readonly number[] | undefined {
  const found = shape.exec(version)
  if (found === null) return undefined
  return [stability[found[2] ?? ''] ?? 3, Number(found[1]), Number(found[3] ?? 0)]
}
