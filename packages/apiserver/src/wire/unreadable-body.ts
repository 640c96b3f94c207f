import { ApiError } from '../errors/api-error.ts'

/**
 * Thrown when a body is not what its content type says. Answered as it is, it is a 400 with the bare problem; callers that know
 * what was expected wrap `problem` in their own sentence (`error decoding patch: …`).
 */
export class UnreadableBody extends ApiError {
  readonly problem: string

  constructor(problem: string) {
    super(400, 'BadRequest', problem)
    this.name = 'UnreadableBody'
    this.problem = problem
  }
}
