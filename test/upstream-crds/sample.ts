/** Plain JSON; what it must look like is for the server to say. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * One kind: an object that is accepted, what the schema adds to it, and what is refused.
 *
 * Messages are written out as a real API server gives them: from recorded answers, and from the rules' own texts in the CRDs.
 */
export interface Sample {
  /** Of the object; some rules tie the status to it. */
  readonly name?: string
  readonly spec: Fields
  /** What the server adds to `spec`, as a merge patch. */
  readonly defaults?: Fields
  /** What upstream's schema adds beyond that: fields that ours does not have. */
  readonly upstreamDefaults?: Fields
  /** Written through the status subresource after the object is there. */
  readonly status?: Fields
  readonly refused: readonly Refusal[]
}

/** A change (merge patch) that makes the object invalid, and every cause as kubectl prints it: `field: message`. */
export interface Refusal {
  readonly how: 'create' | 'update' | 'status'
  readonly change: Fields
  readonly says: readonly string[]
  /** Rules that only one of the two sets of CRDs has. */
  readonly only?: 'upstream' | 'ours'
}

/** What is added when schema errors kept rules from being looked at. */
export const rulesNotChecked =
  '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'

export const when = '2026-01-01T00:00:00Z'

export function condition(type: string, status = 'True'): Fields {
  return { type, status, reason: 'AsExpected', message: '', lastTransitionTime: when }
}
