import { type Decoded, decodingWarnings, strictDecodingError } from '../wire/index.ts'
import type { WriteRequest } from './write-request.ts'

/** Which fields of a body were repeated, as `wire/` found them. */
export type Repeated = Pick<Decoded, 'complaints' | 'format'>

/** Unknown and repeated fields: refused, warned about or ignored, as the request asks. */
export function reportProblems(
  request: Pick<WriteRequest, 'options' | 'warn'>,
  repeated: Repeated,
  unknown: readonly string[],
  refuse: (why: string) => Error,
): void {
  const { fieldValidation } = request.options
  if (fieldValidation === 'Ignore' || repeated.complaints.length + unknown.length === 0) return
  if (fieldValidation === 'Warn') {
    for (const warning of decodingWarnings(repeated, unknown)) request.warn(warning)
    return
  }
  const why = strictDecodingError(repeated, unknown)
  if (why !== undefined) throw refuse(why)
}
