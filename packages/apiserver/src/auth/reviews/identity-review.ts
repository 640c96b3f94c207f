import { formatTime } from '@windlass/core'
import { badRequest } from '../../errors/api-error.ts'
import type { JsonObject } from '../../json.ts'
import { objectAt, text, textList } from '../fields.ts'
import type { TokenResult } from '../tokens/authenticator.ts'
import { userInfo } from '../user.ts'
import { pick, reviewMetadata, type Review } from './review.ts'

/** The two reviews that ask who somebody is. */

const group = 'authentication.k8s.io'

/** Who am I: what `kubectl auth whoami` shows. */
export const selfSubjectReview: Review = {
  group,
  version: 'v1',
  resource: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  kind: 'SelfSubjectReview',
  namespaced: false,
  answer: (_body, { user, now }) => ({
    kind: 'SelfSubjectReview',
    apiVersion: `${group}/v1`,
    metadata: { creationTimestamp: formatTime(now) },
    status: { userInfo: userInfo(user) },
  }),
}

/** Whose token is this, asked by a server that was shown it. */
export const tokenReview: Review = {
  group,
  version: 'v1',
  resource: 'tokenreviews',
  singular: 'tokenreview',
  kind: 'TokenReview',
  namespaced: false,
  answer(body, context) {
    const spec = pick(objectAt(body, 'spec'), ['token', 'audiences'])
    const token = text(spec.token)
    if (token === '') throw badRequest('token is required for TokenReview in authentication')
    const { cluster, now } = context
    const result = context.authenticateToken(token, { cluster, now, audiences: textList(spec.audiences) })
    const metadata = reviewMetadata(body, context, false)
    return { kind: 'TokenReview', apiVersion: `${group}/v1`, metadata, spec, status: tokenStatus(result) }
  },
}

function tokenStatus(result: TokenResult): JsonObject {
  if (!result.authenticated) return { user: {}, error: result.error }
  return { authenticated: true, user: userInfo(result.user), audiences: result.audiences }
}
