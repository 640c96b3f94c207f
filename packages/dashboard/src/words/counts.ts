const grouped = new Intl.NumberFormat('en-US')

/** `10,000`. */
export function countOf(value: number): string {
  return grouped.format(value)
}

/** `1 cluster`, `10,000 clusters`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${countOf(value)} ${value === 1 ? one : many}`
}

/** `38%`; what is there but rounds to nothing is `<1%`. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '0%'
  const share = Math.round((100 * part) / whole)
  return part > 0 && share === 0 ? '<1%' : `${share}%`
}
