import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './access-review.ts'
import { selfSubjectReview, tokenReview } from './identity-review.ts'
import type { Review } from './review.ts'
import { selfSubjectRulesReview } from './rules-review.ts'

/**
 * Questions about identity and access, asked as objects: posted, answered with a status, never stored.
 *
 * - `access-review.ts`: may somebody do something; `rules-review.ts`: all that I may do.
 * - `identity-review.ts`: who am I, whose token is this.
 * - `token-request.ts`: a new token for a ServiceAccount, the odd one out: a subresource of `serviceaccounts`.
 */
export { answerTokenRequest } from './token-request.ts'
export type { TokenRequestContext } from './token-request.ts'
export type { Review, ReviewContext } from './review.ts'

/** Every review, for routing and for discovery. */
export const reviews: readonly Review[] = [
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
]
