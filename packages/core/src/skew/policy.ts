import { normalisedMinor, type Version } from '../version/version.ts'

/**
 * How many minors nodes may be behind a control plane.
 *
 * `parity` counts by the minor of the control plane: two behind an even one, one behind an odd one, as the support of OpenShift's
 * extended releases goes. `fixed:n` is the same for all; `fixed:3` is what HyperShift's own check allows.
 */
export const SkewPolicy = { parity: 'parity', one: 'fixed:1', two: 'fixed:2', three: 'fixed:3' } as const
export type SkewPolicy = (typeof SkewPolicy)[keyof typeof SkewPolicy]

export const defaultSkewPolicy: SkewPolicy = SkewPolicy.parity

/** Thrown when a text names no skew policy. */
export class UnknownSkewPolicyError extends Error {
  override readonly name = 'UnknownSkewPolicyError'
  readonly text: string

  constructor(text: string) {
    super(`"${text}" is no skew policy: choose one of ${Object.values(SkewPolicy).join(', ')}`)
    this.text = text
  }
}

export function parseSkewPolicy(text: string): SkewPolicy {
  const policy = Object.values(SkewPolicy).find((name) => name === text)
  if (policy === undefined) throw new UnknownSkewPolicyError(text)
  return policy
}

const allowed: Readonly<Record<SkewPolicy, (minor: number) => number>> = {
  parity: (minor) => (minor % 2 === 0 ? 2 : 1),
  'fixed:1': () => 1,
  'fixed:2': () => 2,
  'fixed:3': () => 3,
}

/**
 * How many minors a node may be behind this version. 5.0 is counted as 4.23, so it is odd.
 *
 * Errors: UnsupportedMajorError for anything but 4.x and 5.x.
 */
export function allowedSkew(policy: SkewPolicy, version: Version): number {
  return allowed[policy](normalisedMinor(version))
}
