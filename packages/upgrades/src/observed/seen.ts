/** What somebody looked at: what is there, or why that cannot be said. A failed read is an answer of its own; it never reads as "nothing is there". */
export type Seen<T> = { readonly value: T } | { readonly problem: string }

export function seen<T>(value: T): Seen<T> {
  return { value }
}

export function unseen(problem: string): Seen<never> {
  return { problem }
}

export function isSeen<T>(answer: Seen<T>): answer is { readonly value: T } {
  return 'value' in answer
}
