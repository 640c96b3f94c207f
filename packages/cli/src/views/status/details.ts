import { Failure } from '../../failures.ts'

export const detailChoices = ['none', 'all', 'nodes', 'health', 'operators'] as const
export type Details = (typeof detailChoices)[number]

/** In the words of `oc`, which scripts may look for. */
export function parseDetails(text: string): Details {
  const found = detailChoices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw new Failure(`invalid value for --details: ${text} (must be one of ${detailChoices.join(', ')})`)
}

export function wants(details: Details, what: 'nodes' | 'health' | 'operators'): boolean {
  return details === 'all' || details === what
}
