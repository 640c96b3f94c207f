import { ApiError } from '../errors/api-error.ts'

/** Reads a resourceVersion a client sent; undefined when it sent none. */
export function parseRevision(given: string | null | undefined): number | undefined {
  if (given === null || given === undefined || given === '') return undefined
  if (/^\d{1,19}$/.test(given)) return Number(given)
  throw new ApiError(
    400,
    'BadRequest',
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(given)}: strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`,
  )
}

/** 504: the client has seen a future that this server has not. */
export function tooLargeRevision(wanted: number, current: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  })
}
