import { ApiError } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import type { Transaction } from '../storage/store.ts'
import { jsonText } from '../wire/index.ts'
import { indexesOf, present, toStored, withRevision } from './stored.ts'
import type { WriteRequest } from './write-request.ts'

/** Objects larger than this are refused. */
const objectLimit = 1_572_864

/** Stores an object and gives the bytes that the client sees. */
export function commit(transaction: Transaction, request: WriteRequest, key: string, object: JsonObject): Buffer {
  const { scope, served } = request
  const { timeToLive } = served.type.behaviour
  const expires = timeToLive === undefined ? undefined : scope.clock.now() + timeToLive * 1000
  const stored = toStored(served, object)
  const entry = transaction.put(
    key,
    (revision) => bounded(jsonText(withRevision(stored, revision))),
    indexesOf(scope.cluster, stored, expires),
  )
  return present(served, entry)
}

function bounded(text: string): string {
  if (Buffer.byteLength(text) <= objectLimit) return text
  throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${objectLimit}`)
}
