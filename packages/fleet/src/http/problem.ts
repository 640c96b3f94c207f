import type { ProblemView } from '../contract/index.ts'

/** Thrown when a request is not answered as it hoped. The message is for the person in front of the page: what is wrong, and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }

  get view(): ProblemView {
    return { code: this.code, message: this.message }
  }
}

/** Nobody is known to ask. */
export function notSignedIn(): Problem {
  return new Problem(401, 'You are not signed in: use the link that the command printed, or a token of the cluster.')
}
