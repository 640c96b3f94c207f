/**
 * One measured number, with what it is measured against: something bare from the same run (`baseline`), a real kube-apiserver on a machine
 * like this one (`orientation`), and what was set out to be reached (`goal`).
 */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: Unit
  readonly baseline?: { readonly what: string; readonly value: number }
  /** Name of a row in `orientation.ts`. */
  readonly orientation?: number
  readonly goal?: number
}

export type Unit = '/s' | 's' | 'ms' | 'us' | 'MB' | 'KB' | 'MB/s' | 'x' | '%' | 'writes' | 'objects'

/** Rates are to be high; everything else is to be low. */
function isHighGood(unit: Unit): boolean {
  return unit === '/s' || unit === 'MB/s'
}

export interface Ratios {
  /** How many times the cost of the bare thing: 1 is as good as it gets. */
  readonly overBaseline?: number
  /** How many times better than the orientation. */
  readonly overOrientation?: number
  readonly isGoalReached?: boolean
}

export function ratiosOf({ value, unit, baseline, orientation, goal }: Figure): Ratios {
  const high = isHighGood(unit)
  return {
    ...(baseline === undefined || baseline.value === 0 ? {} : { overBaseline: high ? baseline.value / value : value / baseline.value }),
    ...(orientation === undefined ? {} : { overOrientation: high ? value / orientation : orientation / value }),
    ...(goal === undefined ? {} : { isGoalReached: high ? value >= goal : value <= goal }),
  }
}

const headings = ['what', 'measured', 'bare', 'costs', 'orientation', 'better', 'goal', '']

/** A table for people. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { overBaseline, overOrientation, isGoalReached } = ratiosOf(figure)
    const number = (value: number | undefined): string => (value === undefined ? '' : `${rounded(value)} ${figure.unit}`)
    return [
      figure.name,
      number(figure.value),
      number(figure.baseline?.value),
      overBaseline === undefined ? '' : `${overBaseline.toFixed(1)} x`,
      number(figure.orientation),
      overOrientation === undefined ? '' : `${overOrientation.toFixed(1)} x`,
      number(figure.goal),
      isGoalReached === undefined ? '' : isGoalReached ? 'reached' : 'MISSED',
    ]
  })
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 || column === cells.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function rounded(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
