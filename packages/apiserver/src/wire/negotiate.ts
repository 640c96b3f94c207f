import { ApiError } from '../errors/api-error.ts'
import { type AcceptEntry, acceptsJson, parseAccept } from './accept.ts'

/** Another form of an answer, made from the objects in it. */
export type Form = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

export interface Negotiated {
  readonly encoding: 'json'
  /** Absent: the objects themselves. */
  readonly as?: Form
  /** Version of `meta.k8s.io` in which the form is wanted. */
  readonly version: 'v1' | 'v1beta1'
}

/** What kind of answer a request has, which decides the forms it can take. */
export interface Answer {
  /** `other` is an answer without metadata, such as a review: it has no other form. */
  readonly shape: 'object' | 'list' | 'watch' | 'other'
  readonly isCustom: boolean
  /** Of a watch: it begins with the present state, which cannot be told in Tables. */
  readonly sendsInitialEvents?: boolean
}

const plainJson: Negotiated = { encoding: 'json', version: 'v1' }

/** Clients send the same few headers over and over. */
const remembered = new Map<string, Negotiated>()
const mostRemembered = 500

/**
 * Which form of an answer the client gets: the first entry of its Accept header that the answer can take. The encoding is JSON
 * always; clients that prefer protobuf list JSON after it.
 *
 * Errors: 406 when no entry fits.
 */
export function negotiate(accept: string | undefined, answer: Answer): Negotiated {
  const key = `${answer.shape}${answer.isCustom ? ' custom' : ''}${answer.sendsInitialEvents === true ? ' initial' : ''} ${accept ?? ''}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const negotiated = firstThatFits(parseAccept(accept), answer)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, negotiated)
  return negotiated
}

function firstThatFits(entries: readonly AcceptEntry[], answer: Answer): Negotiated {
  const json = entries.filter(acceptsJson)
  if (json.length === 0 && !answer.isCustom) {
    const message = '406: Not Acceptable\nAvailable representations: application/json'
    throw new ApiError(406, 'NotAcceptable', message, { details: {} })
  }
  for (const entry of json) {
    const negotiated = formOf(entry, answer)
    if (negotiated !== undefined) return suitable(negotiated, answer)
  }
  throw notAcceptable()
}

/** The form an entry asks for, if it is one that this kind of answer knows at all. */
function formOf({ parameters }: AcceptEntry, answer: Answer): Negotiated | undefined {
  const stream = parameters.get('stream') ?? ''
  if (stream !== '' && !(stream === 'watch' && answer.shape === 'watch')) return undefined
  const as = parameters.get('as')
  const group = parameters.get('g')
  const version = parameters.get('v')
  if (as === undefined && group === undefined && version === undefined) return plainJson
  if (answer.shape === 'other' || group !== 'meta.k8s.io') return undefined
  if (version !== 'v1' && version !== 'v1beta1') return undefined
  if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return { encoding: 'json', as, version }
  return undefined
}

/** A known form that does not go with this answer is refused even when the client would take another one too. */
function suitable(negotiated: Negotiated, answer: Answer): Negotiated {
  if (negotiated.as === 'PartialObjectMetadata' && answer.shape === 'list') {
    throw new ApiError(406, 'NotAcceptable', 'you requested PartialObjectMetadata, but the requested object is a list')
  }
  if (negotiated.as === 'PartialObjectMetadataList' && answer.shape !== 'list') {
    throw new ApiError(406, 'NotAcceptable', 'you requested PartialObjectMetadataList, but the requested object is not a list')
  }
  if (negotiated.as === 'Table' && answer.sendsInitialEvents === true) {
    throw new ApiError(406, 'NotAcceptable', 'a watch with sendInitialEvents cannot be answered as Table')
  }
  return negotiated
}

export function notAcceptable(): ApiError {
  return new ApiError(406, 'NotAcceptable', 'only the following media types are accepted: application/json')
}

/**
 * Whether `/api` and `/apis` are answered with the aggregated document. Only to clients that list version v2 of it: those that
 * know v2beta1 alone lose every resource when they get v2.
 *
 * Errors: 406 when the client takes neither v2 nor plain JSON.
 */
export function negotiateDiscovery(accept: string | undefined): 'aggregated' | 'legacy' {
  const json = parseAccept(accept).filter(acceptsJson)
  if (json.some(asksForAggregatedDiscovery)) return 'aggregated'
  if (json.some(({ parameters }) => !parameters.has('as') && !parameters.has('g') && !parameters.has('v'))) return 'legacy'
  throw notAcceptable()
}

function asksForAggregatedDiscovery({ parameters }: AcceptEntry): boolean {
  return parameters.get('as') === 'APIGroupDiscoveryList' && parameters.get('g') === 'apidiscovery.k8s.io' && parameters.get('v') === 'v2'
}
