import { ConnectionError } from './transport.ts'

/** The code of requests on a transport that was closed by its owner: sending them again cannot help. */
export const closedCode = 'ERR_TRANSPORT_CLOSED'

export function closedError(host: string): ConnectionError {
  return new ConnectionError(`the connection to ${host} was closed by this program: make a new one`, closedCode)
}

/** The code of requests that were not sent because there is nobody to send them as. */
export const loginCode = 'ERR_LOGIN'

/** Trying again will not help: somebody has to change what this program was given, or how the server is set up. */
export function isLasting({ code }: ConnectionError): boolean {
  return code === loginCode || /^(CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)
}

/** What is behind the codes of Node, OpenSSL and undici that people meet, and what to do about it. Finishes "<server> …". */
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: check that the server runs and that the address is right',
  ENOTFOUND: 'has a name that cannot be resolved: check the address, or the name server of this machine',
  EAI_AGAIN: 'has a name that cannot be resolved right now: check the name server of this machine',
  EHOSTUNREACH: 'is not reachable from this network: check the address and the routes to it',
  ENETUNREACH: 'is not reachable from this network: check the address and the routes to it',
  ETIMEDOUT: 'does not answer: check that a firewall lets connections through',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer: check that a firewall lets connections through',
  UND_ERR_HEADERS_TIMEOUT: 'took the request and did not answer in time: check how busy the server is',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer: check how busy the server is',
  UND_ERR_SOCKET: 'closed the connection before its answer was complete: check whether the server has restarted',
  ECONNRESET: 'closed the connection before its answer was complete: check whether the server has restarted',
  EPIPE: 'closed the connection before the request was complete: check whether the server has restarted',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent less than it announced: check whether the server or a proxy before it has restarted',
  CERT_HAS_EXPIRED: 'has a certificate that has expired: renew it, or check the clock of this machine',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet: check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for other names: use one of them as the address, or as tls-server-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted(),
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted(),
  UNABLE_TO_GET_ISSUER_CERT: notTrusted(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted(),
  CERT_SIGNATURE_FAILURE: notTrusted(),
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS: use an address that begins with http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS: use an address that begins with http://',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'wants a client certificate: use a kubeconfig that has one',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'was not asked: the client certificate and its key do not belong together',
  UND_ERR_PRX_TLS: 'was not asked: the certificate of the proxy is for other names',
  UND_ERR_PRX_CONN: 'was not asked: the proxy closed the connection',
}

function notTrusted(): string {
  return 'has a certificate that is not trusted: use the certificate authority that the server came with'
}

/**
 * Whatever went wrong on the way as a sentence that names the server and says what to do.
 *
 * `proxy` is where connections go instead, if they go through one: then it may be the one that cannot be reached.
 */
export function connectionError(error: unknown, server: string, proxy?: string): ConnectionError {
  if (error instanceof ConnectionError) return error
  const code = codeOf(error)
  const via = proxy === undefined ? '' : ` (through the proxy ${withoutPassword(proxy)})`
  const detail = error instanceof Error ? error.message : String(error)
  const sentence = code === 'EPROTO' ? protocolSentence(detail) : sentences[code]
  const problem = sentence ?? `cannot be reached: ${detail}`
  return new ConnectionError(`${server}${via} ${problem}${code === '' ? '' : ` (${code})`}`, code, { cause: error })
}

/** Old versions of OpenSSL's errors come as one code with the reason in the text. */
function protocolSentence(detail: string): string | undefined {
  return /wrong version number|packet length too long/.test(detail) ? sentences['ERR_SSL_WRONG_VERSION_NUMBER'] : undefined
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function withoutPassword(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
