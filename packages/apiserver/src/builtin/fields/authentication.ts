import { always, at, boolean, int64, list, map, pointer, string, struct, time } from '../dsl/index.ts'
import { extraValue } from './meta.ts'

/** Who somebody is: tokens and reviews of them. */

export const tokenReviewSpec = struct({
  token: string,
  audiences: list(string),
})

export const userInfo = struct({
  username: string,
  uid: string,
  groups: list(string),
  extra: map(extraValue),
})

export const tokenReviewStatus = struct({
  authenticated: boolean,
  user: userInfo,
  error: string,
  audiences: list(string),
})

export const boundObjectReference = struct({
  kind: string,
  apiVersion: string,
  name: string,
  uid: string,
})

export const tokenRequestSpec = struct({
  audiences: always(list(string)),
  boundObjectRef: at(3, always(pointer(boundObjectReference))),
  expirationSeconds: always(pointer(int64)),
})

export const tokenRequestStatus = struct({
  token: always(string),
  expirationTimestamp: time,
})

export const selfSubjectReviewStatus = struct({
  userInfo: userInfo,
})
