import type { Clock, Instant, Random } from '@windlass/core'
import type { Credential, Door } from './door.ts'
import { identify, patience, type Person } from './sign-in.ts'

/** Somebody who is signed in. */
export interface Session {
  readonly credential: Credential
  /** Changes when members say something else of them. */
  readonly person: Person
}

interface Kept extends Session {
  person: Person
  readonly started: Instant
  lastUsed: Instant
  lastChecked: Instant
  checking?: Promise<void> | undefined
}

const hour = 3_600_000
/** However busy somebody is. */
export const longestSession = 12 * hour
export const longestRest = hour
/** Rights that were taken away are gone after this. */
export const checkedEvery = 60_000
/** How long a request waits for such a check. Whoever is not through by then is taken at the last word. */
const checkPatience = 2000
/** More than people; whoever signs in over and over pushes out who did so first. */
const most = 1000

export interface SessionParts {
  readonly doors: readonly Door[]
  readonly clock: Clock
  readonly random: Random
}

/**
 * Who is signed in, in memory: tokens are written nowhere, and gone with the process. Sessions end after twelve hours, or after an hour in which nobody used them; and when
 * the members do not know their credential any more.
 */
export class Sessions {
  readonly #parts: SessionParts
  readonly #byKey = new Map<string, Kept>()

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /**
   * Lets somebody in. The key is the secret by which they are known from then on; a new one unless told.
   *
   * # Errors
   *
   * Those of `identify`.
   */
  async start(credential: Credential, key = this.#newKey()): Promise<{ readonly key: string; readonly session: Session }> {
    const { doors, clock } = this.#parts
    const person = await this.#within(patience, (signal) => identify(doors, credential, signal))
    const now = clock.now()
    const session: Kept = { credential, person, started: now, lastUsed: now, lastChecked: now }
    this.#makeRoom(now)
    this.#byKey.set(key, session)
    return { key, session }
  }

  /** Whoever has this key, who is at it just now. */
  async use(key: string): Promise<Session | undefined> {
    const session = this.peek(key)
    if (session === undefined) return undefined
    const now = this.#parts.clock.now()
    session.lastUsed = now
    if (now - session.lastChecked >= checkedEvery) {
      session.checking ??= this.#check(key, session)
      const isWaiting = new AbortController()
      await Promise.race([session.checking, this.#parts.clock.sleep(checkPatience, isWaiting.signal).catch(() => {})])
      isWaiting.abort()
    }
    return this.peek(key)
  }

  /** The same without being at it. */
  peek(key: string): Kept | undefined {
    const session = this.#byKey.get(key)
    if (session === undefined || !isOver(session, this.#parts.clock.now())) return session
    this.#byKey.delete(key)
    return undefined
  }

  end(key: string): void {
    this.#byKey.delete(key)
  }

  async #check(key: string, session: Kept): Promise<void> {
    const { doors, clock } = this.#parts
    try {
      const person = await this.#within(patience, (signal) => identify(doors, session.credential, signal, session.person))
      if (!isSame(person, session.person)) session.person = person
    } catch {
      this.#byKey.delete(key)
    } finally {
      session.lastChecked = clock.now()
      session.checking = undefined
    }
  }

  async #within<R>(milliseconds: number, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const ending = new AbortController()
    const cancel = this.#parts.clock.after(milliseconds, () =>
      ending.abort(new Error(`there was no answer within ${milliseconds / 1000} s`)),
    )
    try {
      return await work(ending.signal)
    } finally {
      cancel()
    }
  }

  #newKey(): string {
    return Buffer.from(this.#parts.random.bytes(32)).toString('base64url')
  }

  #makeRoom(now: Instant): void {
    for (const [key, session] of this.#byKey) if (isOver(session, now)) this.#byKey.delete(key)
    for (const key of this.#byKey.keys()) {
      if (this.#byKey.size < most) return
      this.#byKey.delete(key)
    }
  }
}

function isOver({ started, lastUsed }: Kept, now: Instant): boolean {
  return now - started >= longestSession || now - lastUsed >= longestRest
}

/** Whether two looks at somebody have shown the same. */
function isSame(a: Person, b: Person): boolean {
  return a.user === b.user && a.sight.key === b.sight.key && a.sight.isEverything === b.sight.isEverything
}
