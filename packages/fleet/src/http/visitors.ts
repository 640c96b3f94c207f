import type { Asked } from './asked.ts'
import { notSignedIn, Problem } from './problem.ts'
import { Attempts, cookieHeader, OneTimeCode, readCookie, type Session, Sessions } from './sign-in/index.ts'
import type { SessionParts } from './sign-in/sessions.ts'

/** Somebody at the door, known or let in. */
export interface Visitor {
  readonly session: Session
  /** Whether they are still the same, with the same rights. Counts as use of the session. */
  isWelcome(): Promise<boolean>
}

/** Lets people in, and knows them again. */
export class Visitors {
  readonly code: OneTimeCode
  readonly #byCookie: Sessions
  /** Apart from the others: what they are known by is no secret, so nobody may claim it in a cookie. */
  readonly #byCertificate: Sessions
  readonly #attempts: Attempts
  readonly #onLinkUsed: () => void
  /** Known when the port is open. */
  port = 0

  constructor(parts: SessionParts, onLinkUsed: () => void) {
    this.code = new OneTimeCode(parts.random)
    this.#byCookie = new Sessions(parts)
    this.#byCertificate = new Sessions(parts)
    this.#attempts = new Attempts(parts.clock)
    this.#onLinkUsed = onLinkUsed
  }

  /**
   * # Errors
   *
   * `Problem` with 401 for strangers; those of signing in for people with a certificate.
   */
  async visitor(asked: Asked): Promise<Visitor> {
    const key = readCookie(asked.headers['cookie'], this.#cookie(asked))
    if (key !== undefined) {
      const session = await this.#byCookie.use(key)
      if (session !== undefined) return visit(this.#byCookie, key, session)
    }
    const { certificate } = asked
    if (certificate === undefined) throw notSignedIn()
    const { fingerprint, name: user, groups } = certificate
    const known = await this.#byCertificate.use(fingerprint)
    const session = known ?? (await this.#byCertificate.start({ by: 'certificate', user, groups }, fingerprint)).session
    return visit(this.#byCertificate, fingerprint, session)
  }

  /** Gives who it is, and the header that makes the browser remember. */
  async signIn(asked: Asked): Promise<{ readonly session: Session; readonly cookie: string }> {
    this.#attempts.check(asked.address)
    const { token, code } = fieldsOf(await asked.json())
    try {
      const { key, session } = await this.#start(token, code)
      return { session, cookie: cookieHeader(key, this.#cookie(asked)) }
    } catch (error) {
      if (error instanceof Problem && (error.code === 401 || error.code === 403)) this.#attempts.failed(asked.address)
      throw error
    }
  }

  /** Gives the header that makes the browser forget. */
  signOut(asked: Asked): string {
    const options = this.#cookie(asked)
    const key = readCookie(asked.headers['cookie'], options)
    if (key !== undefined) this.#byCookie.end(key)
    return cookieHeader(undefined, options)
  }

  async #start(token: unknown, code: unknown): ReturnType<Sessions['start']> {
    if (typeof code === 'string') {
      if (!this.code.redeem(code))
        throw new Problem(401, 'The link was used already, or is of another start: take the newest one that the command has printed.')
      this.#onLinkUsed()
      return this.#byCookie.start({ by: 'link' })
    }
    if (typeof token !== 'string') throw new Problem(400, 'Send a token of the cluster, or the code of the link: {"token": "…"}.')
    const bare = token.trim()
    if (!/^[\x21-\x7e]{1,16384}$/.test(bare)) throw new Problem(400, 'This is no token: it is one word without blanks.')
    return this.#byCookie.start({ by: 'token', token: bare })
  }

  #cookie({ isSecure }: Asked): { readonly port: number; readonly isSecure: boolean } {
    return { port: this.port, isSecure }
  }
}

function visit(sessions: Sessions, key: string, session: Session): Visitor {
  const { person } = session
  return { session, isWelcome: async () => (await sessions.use(key))?.person === person }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
