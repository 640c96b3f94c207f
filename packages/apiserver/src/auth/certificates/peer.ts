import type { User } from '../user.ts'
import { ExtraKeys } from '../user.ts'

/** What a client certificate says about its bearer. */
export interface ClientCertificate {
  readonly user: string
  readonly groups: readonly string[]
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint?: string
  /** Set when the certificate is good for one logical cluster alone. */
  readonly cluster?: string
  /** False when the certificate is not signed by the server's CA or has expired: it then counts as a wrong credential. */
  readonly trusted?: boolean
}

/** The part of Node's `TLSSocket` that is read; the certificate comes from `getPeerCertificate()`. */
export interface PeerSocket {
  readonly authorized: boolean
  getPeerCertificate(): { readonly subject?: object | null; readonly fingerprint256?: string }
}

const clusterMark = 'cluster:'

/** Written into the organizational unit of certificates that are good for one logical cluster alone. */
export function clusterUnit(cluster: string): string {
  return `${clusterMark}${cluster}`
}

/**
 * The client certificate of a connection; undefined when the client showed none, or one without a common name. Ask once per
 * connection and keep the answer: Node decodes the certificate anew on each call.
 */
export function clientCertificate(socket: PeerSocket): ClientCertificate | undefined {
  const { subject, fingerprint256 = '' } = socket.getPeerCertificate()
  if (subject === undefined || subject === null) return undefined
  const user = values(subject, 'CN').at(-1)
  if (user === undefined || user === '') return undefined
  const unit = values(subject, 'OU').find((each) => each.startsWith(clusterMark))
  return {
    user,
    groups: values(subject, 'O'),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    ...(unit === undefined ? {} : { cluster: unit.slice(clusterMark.length) }),
    trusted: socket.authorized,
  }
}

/** Node gives an attribute that occurs once as text and one that occurs again as a list. */
function values(subject: object, key: string): readonly string[] {
  const value: unknown = Reflect.get(subject, key)
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export function certificateUser(certificate: ClientCertificate): User {
  const extra = certificate.fingerprint === undefined ? {} : { [ExtraKeys.credentialId]: [`X509SHA256=${certificate.fingerprint}`] }
  return { name: certificate.user, uid: '', groups: certificate.groups, extra }
}
