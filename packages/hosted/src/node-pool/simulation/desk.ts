import { Secret } from '@windlass/api'
import { type Clock, type Instant, parseTime } from '@windlass/core'
import type { World } from '@windlass/kube/simulation'
import type { FetchIgnition } from '@windlass/simulator'
import type { IgnitionService } from '../token/index.ts'
import { Annotation } from '../wire.ts'

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
      const asked = clock.now()
      const answer = await ignition.answer(request, clock)
      if (answer.status !== 200) return answer
      this.#check(headers['authorization'] ?? '', asked)
      resolve(answer)
      return answer
    })
    Promise.all(all).then(
      (answers) => resolve(answers[0] ?? { status: 503, body: '' }),
      () => resolve({ status: 503, body: '' }),
    )
    const answer = await promise
    this.answered.push(answer.status)
    return answer
  }

  /** `asked` is when it came, by the clock of the process that let it in: that is the one it must go by, right or wrong. */
  #check(authorization: string, asked: Instant): void {
    const token = Buffer.from(authorization.replace(/^Bearer /, ''), 'base64').toString('base64')
    const secret = this.#world?.state.list(Secret).find(({ data }) => data?.['token'] === token || data?.['old_token'] === token)
    const expires = parseTime(secret?.metadata.annotations?.[Annotation.tokenExpires])
    if (secret === undefined) this.letInTooLate.push(`${authorization} is of no Secret`)
    else if (expires !== undefined && asked > expires) this.letInTooLate.push(`${secret.metadata.name ?? ''} had expired`)
  }
}
