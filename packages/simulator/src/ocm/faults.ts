import type { Duration } from '@windlass/core'
import type { OcmRequest } from './wire.ts'

/**
 * What goes wrong with OCM on purpose.
 *
 * | is | what happens |
 * |---|---|
 * | `down` | nobody is there: connections are refused (over sockets, cut), and nothing has any effect |
 * | `lost` | the request has its effect, and its answer is lost |
 * | `slow` | the answer comes after `by` milliseconds |
 * | `status` | the answer is this status, and nothing has any effect: 429, 500, 503, 401 and all others |
 * | `wrong` | the answer is 200 and no JSON |
 * | `stranger` | the answer is about another cluster |
 */
export type OcmFault = (
  | { readonly is: 'down' | 'lost' | 'wrong' | 'stranger' }
  | { readonly is: 'slow'; readonly by: Duration }
  | { readonly is: 'status'; readonly status: number }
) & {
  /** Only requests of this method. */
  readonly method?: string
  /** Only requests whose path has this in it. */
  readonly path?: string
  /** So many requests; all of them unless told. */
  readonly times?: number
}

/** Faults that are on, and how often each has still to come. */
export class OcmFaults {
  #on: { readonly fault: OcmFault; left: number }[] = []

  add(fault: OcmFault): void {
    this.#on.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#on = []
  }

  /** What goes wrong with this request: the first that concerns it. */
  take({ method, path }: OcmRequest): OcmFault | undefined {
    const hit = this.#on.find(({ fault, left }) => left > 0 && (fault.method ?? method) === method && path.includes(fault.path ?? ''))
    if (hit !== undefined) hit.left -= 1
    return hit?.fault
  }
}
