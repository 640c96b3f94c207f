import { badRequest } from '../errors/api-error.ts'
import { type FieldError, forbidden, notSupported } from '../errors/field-error.ts'
import { type ContinueToken, decodeToken } from './continue-token.ts'
import { booleanValue, integerParameter, invalidOptions } from './options.ts'
import { parseRevision } from './revision.ts'

/** What a list or watch asks for besides selectors. */
export interface ListOptions {
  /** 0 when there is none. */
  readonly limit: number
  readonly token: ContinueToken | undefined
  /** undefined when not given; 0 means "any state will do". */
  readonly revision: number | undefined
  readonly match: 'Exact' | 'NotOlderThan' | undefined
  readonly sendInitialEvents: boolean | undefined
  readonly allowBookmarks: boolean
  readonly timeoutSeconds: number | undefined
}

const match = 'resourceVersionMatch'

export function listOptions(query: URLSearchParams, isWatch: boolean): ListOptions {
  const limit = integerParameter(query, 'limit') ?? 0
  const given = query.get('sendInitialEvents')
  const sendInitialEvents = given === null ? undefined : booleanValue(given)
  const errors = isWatch ? watchErrors(query, sendInitialEvents) : listErrors(query, sendInitialEvents)
  if (errors.length > 0) throw invalidOptions('ListOptions', errors)
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds')
  const revision = parseRevision(query.get('resourceVersion'))
  const encoded = query.get('continue') ?? ''
  const token = encoded === '' || isWatch ? undefined : decodeToken(encoded)
  if (token !== undefined && revision !== undefined && revision !== 0) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const matching = query.get(match)
  return {
    limit: Math.max(0, limit),
    token,
    revision,
    match: matching === 'Exact' || matching === 'NotOlderThan' ? matching : undefined,
    sendInitialEvents,
    allowBookmarks: booleanValue(query.get('allowWatchBookmarks') ?? 'false'),
    timeoutSeconds,
  }
}

function listErrors(query: URLSearchParams, sendInitialEvents: boolean | undefined): readonly FieldError[] {
  const errors: FieldError[] = []
  const given = query.get(match) ?? ''
  const revision = query.get('resourceVersion') ?? ''
  if (given !== '') {
    if (revision === '') errors.push(forbidden(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if ((query.get('continue') ?? '') !== '') errors.push(forbidden(match, 'resourceVersionMatch is forbidden when continue is provided'))
    if (given !== 'Exact' && given !== 'NotOlderThan') errors.push(notSupported(match, given, ['Exact', 'NotOlderThan', '']))
    if (given === 'Exact' && revision === '0') {
      errors.push(forbidden(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
    }
  }
  if (sendInitialEvents !== undefined) errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchErrors(query: URLSearchParams, sendInitialEvents: boolean | undefined): readonly FieldError[] {
  const errors: FieldError[] = []
  const given = query.get(match) ?? ''
  if (sendInitialEvents !== undefined && given !== 'NotOlderThan') {
    errors.push(forbidden(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  }
  if (given !== '') {
    if (sendInitialEvents === undefined) {
      errors.push(forbidden(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'))
    }
    if (given !== 'NotOlderThan') errors.push(notSupported(match, given, ['NotOlderThan']))
    if ((query.get('continue') ?? '') !== '') errors.push(forbidden(match, 'resourceVersionMatch is forbidden when continue is provided'))
  }
  return errors
}
