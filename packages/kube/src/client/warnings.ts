import type { Log } from '../log.ts'

/** Different texts that are remembered; more are logged each time they come. */
const mostRemembered = 1000

/** `299 - "text"`, several of them joined by commas. */
const warningValue = /\b299 \S+ "((?:[^"\\]|\\.)*)"/g

/** Advice for whoever thinks of a name. Names of others are not ours to change. */
const advice = /: prefer a domain-qualified finalizer name/

/** Warnings that the server sends with its answers: fields it does not know, versions that will go. Each text is logged once. */
export class WarningLog {
  readonly #log: Log
  readonly #seen = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  report(header: string | undefined): void {
    if (header === undefined) return
    for (const [, quoted = ''] of header.matchAll(warningValue)) {
      const text = quoted.replaceAll(/\\(.)/g, '$1')
      if (this.#seen.has(text)) continue
      if (this.#seen.size < mostRemembered) this.#seen.add(text)
      this.#log[advice.test(text) ? 'debug' : 'warn']({ warning: text }, 'the server warns')
    }
  }
}
