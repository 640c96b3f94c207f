import { Secret } from '@windlass/api'
import { type Clock, type Instant, parseTime } from '@windlass/core'
import type { World } from '@windlass/kube/simulation'
import type { FetchIgnition } from '@windlass/simulator'
import type { IgnitionService } from '../token/index.ts'
import { Annotation } from '../wire.ts'

type Answer = Awaited<ReturnType<FetchIgnition>>

/** One life of a process, as far as machines have to do with it. */
interface Counter {
  readonly ignition: IgnitionService
  readonly clock: Clock
  /** Resolves when it is over: connections break then, as the clock of a process that is dead ends no wait. */
  readonly gone: PromiseWithResolvers<Answer>
}

const noAnswer: Answer = { status: 503, body: '' }

/**
 * Between simulated machines and the processes that could answer them: what a load balancer before an ignition server is. It also remembers who was let in with
 * a token that had expired, which must be nobody.
 */
export class Desk {
  readonly #open = new Map<string, Counter>()
  readonly answered: number[] = []
  readonly letInTooLate: string[] = []
  #world: World | undefined

  /** A process has started; what it was before is gone, and answers nobody who still waits for it. */
  opens(process: string, ignition: IgnitionService, clock: Clock): void {
    this.#open.get(process)?.gone.resolve(noAnswer)
    this.#open.set(process, { ignition, clock, gone: Promise.withResolvers() })
  }

  watches(world: World): void {
    this.#world = world
  }

  readonly fetch: FetchIgnition = async ({ headers }) => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const request = { method: 'GET', path: '/ignition', headers }
    const all = Array.from(this.#open.values(), async ({ ignition, clock, gone }) => {
      const asked = clock.now()
      const answer = await Promise.race([ignition.answer(request, clock), gone.promise])
      if (answer.status !== 200) return answer
      this.#check(headers['authorization'] ?? '', asked)
      resolve(answer)
      return answer
    })
    Promise.all(all).then(
      (answers) => resolve(answers[0] ?? noAnswer),
      () => resolve(noAnswer),
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
