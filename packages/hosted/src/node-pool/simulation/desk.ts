import { Secret } from '@windlass/api'
import { type Clock, parseTime } from '@windlass/core'
import type { World } from '@windlass/kube/simulation'
import type { FetchIgnition } from '@windlass/simulator'
import type { IgnitionService } from '../token/index.ts'
import { Annotation } from '../wire.ts'

/** A clock in a simulation may be wrong by so much. */
const skew = 5 * 60_000

/**
 * Between simulated machines and the processes that could answer them: what a load balancer before an ignition server is. It also remembers who was let in with
 * a token that had expired, which must be nobody.
 */
export class Desk {
  readonly #open = new Map<string, { readonly ignition: IgnitionService; readonly clock: Clock }>()
  readonly answered: number[] = []
  readonly letInTooLate: string[] = []
  #world: World | undefined

  /** A process has started; what it was before is gone. */
  opens(process: string, ignition: IgnitionService, clock: Clock): void {
    this.#open.set(process, { ignition, clock })
  }

  watches(world: World): void {
    this.#world = world
  }

  readonly fetch: FetchIgnition = async ({ headers }) => {
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>()
    const request = { method: 'GET', path: '/ignition', headers }
    const all = Array.from(this.#open.values(), async ({ ignition, clock }) => {
      const answer = await ignition.answer(request, clock)
      if (answer.status === 200) resolve(answer)
      return answer
    })
    Promise.all(all).then(
      (answers) => resolve(answers[0] ?? { status: 503, body: '' }),
      () => resolve({ status: 503, body: '' }),
    )
    const answer = await promise
    this.answered.push(answer.status)
    if (answer.status === 200) this.#check(headers['authorization'] ?? '')
    return answer
  }

  #check(authorization: string): void {
    const token = Buffer.from(authorization.replace(/^Bearer /, ''), 'base64').toString('base64')
    const secret = this.#world?.state.list(Secret).find(({ data }) => data?.['token'] === token || data?.['old_token'] === token)
    const expires = parseTime(secret?.metadata.annotations?.[Annotation.tokenExpires])
    const now = this.#world?.clock.now() ?? 0
    if (secret === undefined) this.letInTooLate.push(`${authorization} is of no Secret`)
    else if (expires !== undefined && now > expires + skew) this.letInTooLate.push(`${secret.metadata.name ?? ''} had expired`)
  }
}
