export interface BackOffOptions {
  /** After the first failure, in milliseconds; 5 unless told. */
  readonly first?: number
  /** Never longer than this; 1,000 seconds unless told. */
  readonly longest?: number
}

/** How long to leave something alone that has failed so many times in a row: twice as long each time. */
export function backOff(failures: number, { first = 5, longest = 1_000_000 }: BackOffOptions = {}): number {
  return Math.min(longest, first * 2 ** (failures - 1))
}
