import type { Instant, Random } from '@windlass/core'
import type { Mishap, Service } from '../testing/outside/index.ts'

/** Who has bad days. */
const moody: ReadonlySet<Service> = new Set(['prometheus', 'alertmanager', 'ocm'])

/** How often something befalls a call, of a hundred. */
const often = { unanswered: 4, lost: 4, late: 5 } as const
const latest = 4 * 60_000

/** What goes wrong outside, by chance, until some moment: nobody answers, or late, or the answer is lost though what was asked for has been done. */
export function mishapsUntil(calm: Instant, now: () => Instant, random: Random): (service: Service) => Mishap {
  return (service) => {
    if (!moody.has(service) || now() >= calm) return {}
    const roll = random.next() * 100
    if (roll < often.unanswered) return { fails: 'before' }
    if (roll < often.unanswered + often.lost) return { fails: 'after' }
    return roll < often.unanswered + often.lost + often.late ? { delay: random.next() * latest } : {}
  }
}
