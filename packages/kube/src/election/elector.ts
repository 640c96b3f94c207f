import type { Clock, Random } from '@windlass/core'
import type { Ref } from '../client/client.ts'
import { isAlreadyExists, isConflict } from '../client/errors.ts'
import type { Log } from '../log.ts'
import type { RuntimeMetrics } from '../metrics/metrics.ts'
import { StillRunning } from './errors.ts'
import { type LeaseClient, LeaseHold } from './lease-hold.ts'
import { Term } from './term.ts'
import { checkTiming, type ElectionTiming, jitter, usualTiming } from './timing.ts'
import { LeaseWatch } from './lease-watch.ts'

export interface LeaderElectorOptions {
  readonly client: LeaseClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: RuntimeMetrics
  readonly lease: Required<Ref>
  /** Unlike that of any other process, also of the one before this on the same host: `<hostname>_<uuid>`. */
  readonly identity: string
  /** 15 s, 10 s and 2 s unless told. */
  readonly timing?: Partial<ElectionTiming>
}

/** What runs while this process leads. It ends soon after the signal was aborted. */
export type Lead = (signal: AbortSignal) => Promise<void>

/**
 * Lets one of several processes lead.
 *
 * Two never lead at once: a leader counts its time from the moment before it sent its last successful renewal, and stops what it leads when
 * `renewDeadline` has passed; others count `leaseDuration`, which is longer, from the moment they saw that renewal, which is later. All use
 * monotonic clocks of their own. Who writes names the revision it has seen, so that of two who try only one succeeds.
 *
 * # Caveats
 *
 * A process that is frozen for longer than the difference (suspended, a pause of the garbage collector) may act for an instant when it wakes up,
 * before its timer fires. Somebody who deletes the lease by hand and starts a new process within `leaseDuration` gets two leaders for some seconds.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions
  readonly #timing: ElectionTiming
  readonly #log: Log
  readonly #hold: LeaseHold
  #term: Term | undefined

  constructor(options: LeaderElectorOptions) {
    const { client, clock, lease, identity } = options
    this.#options = options
    this.#timing = { ...usualTiming, ...options.timing }
    checkTiming(this.#timing)
    this.#log = options.log.child({ lease: `${lease.namespace}/${lease.name}`, identity })
    const onHolder = (holder: string): void => {
      if (holder !== identity) this.#log.info({ holder }, holder === '' ? 'nobody leads' : `${holder} leads`)
    }
    this.#hold = new LeaseHold({ client, clock, ref: lease, identity, timing: this.#timing, onHolder })
    options.metrics.leader(lease.name, false)
  }

  /** Right now, by the clock. */
  get isLeader(): boolean {
    return this.#term?.isValid ?? false
  }

  /** Who held the lease when it was last looked at; empty when nobody did, undefined before. */
  get holder(): string | undefined {
    return this.#hold.holder
  }

  get timing(): ElectionTiming {
    return this.#timing
  }

  /**
   * Waits for the lease, then runs `lead` and keeps the lease until that has ended.
   *
   * When the signal is aborted, `lead` is told by its own signal. The lease is kept until it has finished, and released then, so that the
   * next leader may begin at once. Resolves after that.
   *
   * # Errors
   *
   * `LeadershipLost` when the lease was not renewed in time or somebody else has it: `lead` was told by its signal, with the same error
   * as the reason, and has ended. Whatever `lead` throws.
   */
  async run(signal: AbortSignal, lead: Lead): Promise<void> {
    const since = await this.#campaign(signal)
    if (since === undefined || signal.aborted) await this.#release()
    else await this.#serve(since, signal, lead)
  }

  /** Tries to get the lease until it has it; undefined when the signal was aborted first. */
  async #campaign(signal: AbortSignal): Promise<number | undefined> {
    const { client, clock, random } = this.#options
    const { retryPeriod, renewDeadline } = this.#timing
    using watch = new LeaseWatch(client, clock, (lease) => this.#hold.heardOf(lease))
    while (!signal.aborted) {
      let pause = retryPeriod * (1 + jitter * random.next())
      try {
        const outcome = await this.#hold.attempt(signal, false)
        if (outcome.do === 'hold' && clock.monotonic() < outcome.since + renewDeadline) return outcome.since
        if (outcome.do === 'wait') pause = Math.min(pause, outcome.milliseconds)
      } catch (error) {
        if (isConflict(error) || isAlreadyExists(error)) this.#log.debug({}, 'somebody else was faster')
        else if (!signal.aborted) this.#log.warn({ err: error }, 'cannot get the lease; will try again')
      }
      await watch.released(this.#hold.seen, pause, signal)
    }
    return undefined
  }

  /** Leads and renews, until what is led has ended. */
  async #serve(since: number, signal: AbortSignal, lead: Lead): Promise<void> {
    const { clock, metrics, lease, identity } = this.#options
    const isLeader = (is: boolean): void => metrics.leader(lease.name, is)
    const onLost = (lost: Error): void => {
      isLeader(false)
      this.#log.error({ err: lost }, `${identity} leads no more`)
    }
    const term = new Term(
      { clock, lease: `${lease.namespace}/${lease.name}`, renewDeadline: this.#timing.renewDeadline, signal, onLost },
      since,
    )
    this.#term = term
    isLeader(true)
    this.#log.info({}, `${identity} leads`)
    const renewals = this.#renew(term)
    let failure: unknown
    try {
      await lead(term.led)
    } catch (error) {
      if (error !== term.led.reason) failure = error
    }
    term.end()
    isLeader(false)
    await renewals
    if (term.lost !== undefined) throw term.lost
    if (!(failure instanceof StillRunning)) await this.#release()
    if (failure !== undefined) throw failure
  }

  async #renew(term: Term): Promise<void> {
    const signal = term.renewing
    const { retryPeriod } = this.#timing
    let pause = retryPeriod
    while (!signal.aborted) {
      try {
        await this.#options.clock.sleep(pause, signal)
        pause = retryPeriod
        const outcome = await this.#hold.attempt(signal, true)
        if (outcome.do === 'hold') term.renewed(outcome.since)
        if (outcome.do === 'lost') term.lose(`${outcome.holder} has it`)
      } catch (error) {
        if (signal.aborted) return
        // It has changed since we wrote it: by a renewal of ours that was not answered, most likely, or by somebody who has it now.
        if (isConflict(error)) pause = retryPeriod / 10
        term.notRenewed(error)
        this.#log.warn({ err: error }, 'cannot renew the lease; will try again')
      }
    }
  }

  /** Failing is no harm: the lease runs out by itself. */
  async #release(): Promise<void> {
    try {
      if (await this.#hold.release()) this.#log.info({}, 'released the lease')
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot release the lease; it runs out by itself')
    }
  }
}
