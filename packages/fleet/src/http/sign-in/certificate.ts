import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'

/** Who a certificate says somebody is: as Kubernetes reads it, the common name is the user, organizations are groups. */
export interface CertificateUser {
  readonly name: string
  readonly groups: readonly string[]
  readonly fingerprint: string
}

/** Reading a certificate is slow, and a connection has only one. */
const known = new WeakMap<object, CertificateUser | null>()

/** Undefined without a certificate, and with one that no authority of ours has signed. */
export function certificateUser(incoming: IncomingMessage | Http2ServerRequest): CertificateUser | undefined {
  const socket = 'stream' in incoming ? incoming.stream.session?.socket : incoming.socket
  // Of HTTP/2 it is a stand-in, of which nothing else can be asked.
  if (!(socket instanceof TLSSocket)) return undefined
  const before = known.get(socket)
  if (before !== undefined) return before ?? undefined
  const user = userOf(socket)
  known.set(socket, user ?? null)
  return user
}

function userOf(socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>): CertificateUser | undefined {
  if (!socket.authorized) return undefined
  const { subject, fingerprint256 } = socket.getPeerCertificate(true)
  const [name] = texts(subject, 'CN')
  return name === undefined ? undefined : { name, groups: texts(subject, 'O'), fingerprint: fingerprint256 }
}

/** Node gives a list for what a name has more than once of. */
function texts(subject: DetailedPeerCertificate['subject'] | undefined, field: 'CN' | 'O'): readonly string[] {
  const value: unknown = subject?.[field]
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((each) => typeof each === 'string' && each !== '').map(String)
}
