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

/** How long a call is under way in one direction. */
const underWay = 7

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
    await this.#clock.sleep(underWay)
    if (this.#world.down.has(service)) {
      await this.#clock.sleep(underWay)
      throw new Error(`${service} is down`)
    }
    const given = answer()
    this.#world.onCall?.({ process: this.#process, service, what, moment: 'after' })
    await this.#clock.sleep(underWay)
    return given
  }
}

export interface LineWorld {
  /** Who does not answer. */
  readonly down: ReadonlySet<Service>
  /** Hears of every call, and may kill the process that makes it. */
  onCall?: ((call: Call) => void) | undefined
}
