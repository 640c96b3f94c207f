import type { IntOrPercent } from '@windlass/api'

/** A count as statuses hold it: servers leave most of those out that are zero, and one that is sent would differ from that for ever. */
export function counted(count: number): number | undefined {
  return count === 0 ? undefined : count
}

/**
 * How many of `total` are meant. A part in percent is rounded up or down; what is no amount at all counts as nothing, for no server should have
 * let it pass.
 */
export function amountOf(amount: IntOrPercent | undefined, total: number, round: 'up' | 'down'): number {
  if (amount === undefined) return 0
  if (typeof amount === 'number') return amount
  const percent = /^(\d+)%$/.exec(amount)?.[1]
  if (percent === undefined) return 0
  const exact = (Number(percent) * total) / 100
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact)
}
