import { parseDuration } from '@windlass/core'
import { badRequest } from '../errors/api-error.ts'

/** `?timeout=` must be a duration, whatever its length: requests here end long before any of them. */
export function checkTimeout(query: URLSearchParams): void {
  const given = query.get('timeout')
  if (given === null || given === '') return
  try {
    parseDuration(given)
  } catch {
    throw badRequest(
      `invalid timeout specified in the request URL - should be in a format such as 1.5h, 60s, ... : time: invalid duration ${JSON.stringify(given)}`,
    )
  }
}
