import type { Repository } from '../pullspec/index.ts'

/**
 * What went wrong at a registry:
 *
 * - `unreachable`: no answer, or one that says "later". Trying again may help.
 * - `not-found`, `unauthorized`: the registry's words.
 * - `corrupt`: bytes that are not the ones asked for.
 * - `unusable`: an answer that makes no sense, or contents that cannot be read.
 */
export type FailureKind = 'unreachable' | 'not-found' | 'unauthorized' | 'corrupt' | 'unusable'

export interface FailureOptions extends ErrorOptions {
  /** Milliseconds that the registry asked to wait. */
  readonly retryAfter?: number | undefined
  /** False for an unreachable registry that the next attempt will not reach either: a certificate stays untrusted. */
  readonly isWorthRetrying?: boolean
}

/** Thrown by everything in this folder. The message says what happened where; which release it was about is added by whoever asked. */
export class RegistryFailure extends Error {
  override readonly name = 'RegistryFailure'
  readonly kind: FailureKind
  readonly retryAfter: number | undefined
  readonly isWorthRetrying: boolean

  constructor(kind: FailureKind, message: string, { retryAfter, isWorthRetrying, ...options }: FailureOptions = {}) {
    super(message, options)
    this.kind = kind
    this.retryAfter = retryAfter
    this.isWorthRetrying = isWorthRetrying ?? kind === 'unreachable'
  }
}

/** Problems with a certificate, as Node names them. */
const distrust =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT.*|CERT_.*|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** What a transport's error means. */
export function connectionFailure({ registry }: Pick<Repository, 'registry'>, error: unknown): RegistryFailure {
  if (error instanceof RegistryFailure) return error
  const code = codeOf(error)
  if (distrust.test(code)) {
    const remedy = 'Add the certificate of its authority to those that are trusted.'
    return new RegistryFailure('unreachable', `${registry} shows a certificate that is not trusted (${code}). ${remedy}`, {
      cause: error,
      isWorthRetrying: false,
    })
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    const remedy = 'If it is meant to be used without TLS, name it among the insecure registries.'
    return new RegistryFailure('unreachable', `${registry} does not speak TLS (${code}). ${remedy}`, {
      cause: error,
      isWorthRetrying: false,
    })
  }
  return new RegistryFailure(
    'unreachable',
    `${registry} does not answer (${code === '' ? messageOf(error) : code}). Check its name and the way there.`,
    { cause: error },
  )
}

/** Networks fail in layers: the innermost code is the telling one. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const inner = codeOf(error.cause) || (error instanceof AggregateError ? codeOf(error.errors[0]) : '')
  return inner || ('code' in error && typeof error.code === 'string' ? error.code : '')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
