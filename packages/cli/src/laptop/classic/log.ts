import { LogicalCluster } from '@windlass/api'
import { ApiError, isNotFound, type Log } from '@windlass/kube'

/**
 * A log without the complaints about a logical cluster that is gone. Whoever deletes one ends its API at once, a moment before those who live in it hear of
 * it: that is no news to anybody who reads the log.
 */
export function withoutGone(log: Log): Log {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => (isAboutGone(fields) ? log.debug(fields, message) : log.warn(fields, message)),
    error: (fields, message) => (isAboutGone(fields) ? log.debug(fields, message) : log.error(fields, message)),
    child: (fields) => withoutGone(log.child(fields)),
  }
}

function isAboutGone(fields: object): boolean {
  const error: unknown = 'err' in fields ? fields.err : undefined
  return error instanceof ApiError && isNotFound(error) && error.details.kind === LogicalCluster.plural
}
