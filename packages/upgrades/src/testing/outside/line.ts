import type { Clock } from '@windlass/core'

/** Who is called, and how. */
export type Service = 'prometheus' | 'alertmanager' | 'ocm' | 'dependencies' | 'releases' | 'deployment validation'

export interface Call {
  /** Who calls. */
  readonly process: string
  readonly service: Service
  readonly what: string
  /** Before it has any effect, or after that and before anybody knows. */
  readonly moment: 'before' | 'after'
}

/** What befalls a call on its way. */
export interface Mishap {
  /** How much longer it takes, in milliseconds. */
  readonly delay?: number
  /** It comes to nothing: before it has any effect, or after that, so that only the answer is lost. */
  readonly fails?: Call['moment']
}

/** How long a call is under way in one direction. */
const underWay = 7

/** Whether a call is to change something there, other than to take something back. */
function hasEffect(service: Service, what: string): boolean {
  return service === 'ocm' ? /^(set|log) /.test(what) : service === 'alertmanager' && what.startsWith('create ')
}

/**
 * The way to everything outside, for one life of a process. A process that dies while a call is under way hears nothing more of it; whether the call has had its
 * effect is then a matter of when.
 */
export class Line {
  readonly #process: string
  readonly #clock: Clock
  readonly #world: LineWorld

  constructor(process: string, clock: Clock, world: LineWorld) {
    this.#process = process
    this.#clock = clock
    this.#world = world
  }

  /** Calls somebody; `answer` is what happens there. */
  async call<T>(service: Service, what: string, answer: () => T): Promise<T> {
    this.#world.onCall?.({ process: this.#process, service, what, moment: 'before' })
    if (hasEffect(service, what)) this.#world.onEffect?.(what)
    const { delay = 0, fails } = this.#world.mishap?.(service, what) ?? {}
    await this.#clock.sleep(underWay + delay)
    if (fails === 'before' || this.#world.down.has(service)) {
      await this.#clock.sleep(underWay)
      throw new Error(`${service} is down`)
    }
    const given = answer()
    this.#world.onCall?.({ process: this.#process, service, what, moment: 'after' })
    await this.#clock.sleep(underWay)
    if (fails === 'after') throw new Error(`the answer of ${service} was lost`)
    return given
  }
}

export interface LineWorld {
  /** Who does not answer. */
  readonly down: ReadonlySet<Service>
  /** What befalls each call; nothing unless told. */
  mishap?: ((service: Service, what: string) => Mishap) | undefined
  /** Hears of every call that is to have an effect, when it is made. */
  onEffect?: ((what: string) => void) | undefined
  /** Hears of every call, and may kill the process that makes it. */
  onCall?: ((call: Call) => void) | undefined
}
