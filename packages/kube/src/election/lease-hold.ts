import { Lease } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { isOlder } from '../cache/resource-version.ts'
import type { Client, Ref } from '../client/client.ts'
import { LinkedAbort, orAborted } from '../transport/abort.ts'
import { decideLease, type LeaseDecision, type LeaseSpec, released, type Sighting } from './decide.ts'
import type { ElectionTiming } from './timing.ts'

/** What an election needs of a client. */
export type LeaseClient = Pick<Client, 'find' | 'create' | 'update' | 'watch'>

export interface LeaseHoldOptions {
  readonly client: LeaseClient
  readonly clock: Clock
  readonly ref: Required<Ref>
  readonly identity: string
  readonly timing: ElectionTiming
  /** Somebody else holds the lease than before, or nobody: then the name is empty. */
  readonly onHolder: (holder: string) => void
}

/** `since`: on the monotonic clock, before the write was sent that got or renewed the lease. */
export type Outcome = { readonly do: 'hold'; readonly since: number } | Exclude<LeaseDecision, { readonly do: 'acquire' | 'renew' }>

/** What is known of the lease. */
interface Known extends Sighting {
  readonly isThere: boolean
  /** From the answer to our last write: there is no need to look before the next one. */
  readonly isCertain: boolean
}

/** The lease as one candidate knows it: looks at it, decides, writes it. Every write names the revision it was decided on. */
export class LeaseHold {
  readonly #options: LeaseHoldOptions
  #known: Known
  #holder: string | undefined
  #isUnsure = false

  constructor(options: LeaseHoldOptions) {
    this.#options = options
    this.#known = { lease: undefined, isThere: false, changedAt: options.clock.monotonic(), isCertain: false }
  }

  /** The lease as it was last seen; undefined when it was not there. */
  get seen(): Lease | undefined {
    return this.#known.isThere ? this.#known.lease : undefined
  }

  get holder(): string | undefined {
    return this.#holder
  }

  /** Somebody else has written it. What is older than what is known already was only on its way for longer. */
  heardOf(lease: Lease): void {
    const known = this.#known.lease?.metadata
    if (known?.uid === lease.metadata.uid && isOlder(known?.resourceVersion ?? '', lease.metadata.resourceVersion ?? ''))
      this.#saw(lease, false)
  }

  /** One look at the lease, and one write where it may be ours. It gets half of the deadline, so that there is a second chance. */
  attempt(signal: AbortSignal, isLeading: boolean): Promise<Outcome> {
    const { clock, identity, timing } = this.#options
    return this.#within(timing.renewDeadline / 2, signal, async (limited) => {
      await this.#look(limited)
      const self = { identity, isLeading, leaseDuration: timing.leaseDuration }
      const decision = decideLease(this.#known, self, clock.now(), clock.monotonic())
      if (decision.do === 'wait' || decision.do === 'lost') {
        this.#known = { ...this.#known, isCertain: false }
        return decision
      }
      const since = clock.monotonic()
      await this.#write(decision.spec, limited)
      return { do: 'hold', since }
    })
  }

  /** Gives up the lease if it is ours, or may be; says whether there was anything to give up. */
  release(): Promise<boolean> {
    const { clock, identity, timing } = this.#options
    if (!this.#isUnsure && !this.#known.isCertain) return Promise.resolve(false)
    return this.#within(timing.renewDeadline / 2, undefined, async (limited) => {
      await this.#look(limited)
      const spec = this.seen?.spec
      if (spec?.holderIdentity !== identity) return false
      await this.#write(released(spec, clock.now()), limited)
      this.#known = { ...this.#known, isCertain: false }
      return true
    })
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { client, ref } = this.#options
    if (this.#known.isCertain) return
    const lease = await orAborted(client.find(Lease, ref, { signal }), signal)
    if (lease === undefined) this.#known = { ...this.#known, isThere: false }
    else this.#saw(lease, false)
    this.#isUnsure &&= lease?.spec?.holderIdentity === this.#options.identity
  }

  async #write(spec: LeaseSpec, signal: AbortSignal): Promise<void> {
    const { client, ref } = this.#options
    const { seen } = this
    // Until there is an answer, nobody knows whether the server has it.
    this.#known = { ...this.#known, isCertain: false }
    this.#isUnsure = true
    const answer =
      seen === undefined
        ? client.create(Lease, { metadata: { ...ref }, spec }, { signal })
        : client.update(Lease, { ...seen, spec }, { signal })
    this.#saw(await orAborted(answer, signal), true)
    this.#isUnsure = false
  }

  #saw(lease: Lease, isCertain: boolean): void {
    const { lease: before, changedAt } = this.#known
    const hasChanged = before?.metadata.resourceVersion !== lease.metadata.resourceVersion
    this.#known = { lease, isThere: true, changedAt: hasChanged ? this.#options.clock.monotonic() : changedAt, isCertain }
    const holder = lease.spec?.holderIdentity ?? ''
    if (holder === this.#holder) return
    this.#holder = holder
    this.#options.onHolder(holder)
  }

  async #within<T>(milliseconds: number, parent: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limited = new LinkedAbort(parent)
    const cancel = this.#options.clock.after(milliseconds, () => limited.abort(new Error(`no answer for ${milliseconds / 1000} s`)))
    try {
      return await work(limited.signal)
    } finally {
      cancel()
      limited.release()
    }
  }
}
