import type { Clock } from '@windlass/core'

/** For so long an answer counts for others who ask the same, from when it was asked for. */
const sharedFor = 2000

interface Shared<T> {
  readonly until: number
  readonly answer: Promise<T>
}

/** What several people ask at once is found out once: an incident is looked at by many, and each answer takes dozens of questions to a cluster in trouble. */
export class SharedAnswers<T> {
  readonly #find: (about: string) => Promise<T>
  readonly #clock: Clock
  /** Oldest first. */
  readonly #answers = new Map<string, Shared<T>>()

  constructor(find: (about: string) => Promise<T>, clock: Clock) {
    this.#find = find
    this.#clock = clock
  }

  /** Rejects as finding out does; that is not shared with anybody who asks later. */
  get(about: string): Promise<T> {
    const now = this.#clock.monotonic()
    for (const [each, { until }] of this.#answers) {
      if (until > now) break
      this.#answers.delete(each)
    }
    const known = this.#answers.get(about)
    if (known !== undefined) return known.answer
    const answer = this.#find(about)
    this.#answers.set(about, { until: now + sharedFor, answer })
    answer.catch(() => {
      if (this.#answers.get(about)?.answer === answer) this.#answers.delete(about)
    })
    return answer
  }
}
