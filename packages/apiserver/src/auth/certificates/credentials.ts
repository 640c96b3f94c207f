import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { Instant, Random } from '@windlass/core'
import { authorityCertificate, serverCertificate, userCertificate, type Issuer, type Validity } from './certificate.ts'
import { newPrivateKey, privateKeyPem } from './key-pair.ts'
import { clusterUnit } from './peer.ts'

/** Where credentials are kept: a folder, or a map in a test. Names are file names. */
export interface CredentialStore {
  load(name: string): Buffer | undefined
  save(name: string, bytes: Buffer): void
}

/** A certificate and its key, both PEM. */
export interface CertifiedKey {
  readonly certificate: string
  readonly key: string
}

/** Everything a server needs to be recognised and to recognise others. */
export interface Credentials {
  /** PEM of the certificate that signed all others; clients trust it. */
  readonly ca: string
  readonly server: CertifiedKey
  /** Client certificate of `admin` in `system:masters`. */
  readonly admin: CertifiedKey
  readonly adminToken: string
  /** Signs ServiceAccount tokens and the tokens of logical clusters. */
  readonly tokenKey: KeyObject
  /** Makes a certificate for a user, for instance the one of a logical cluster's kubeconfig. */
  issueClientCertificate(request: ClientCertificateRequest): CertifiedKey
}

export interface ClientCertificateRequest {
  readonly user: string
  readonly groups: readonly string[]
  /** Limits the certificate to one logical cluster. */
  readonly cluster?: string
  readonly now: Instant
}

export interface CredentialOptions {
  readonly random: Random
  readonly now: Instant
  /** DNS names and IP addresses besides the local ones by which the server is reached. */
  readonly names?: readonly string[]
}

/** Thrown when a stored credential cannot be used. The message says which file, and what to do. */
export class CredentialError extends Error {
  readonly file: string

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}. Remove the file to have a new one made; what was issued from it stops working.`, options)
    this.name = 'CredentialError'
    this.file = file
  }
}

const day = 86_400_000
const Lifetime = { authority: 3650 * day, leaf: 365 * day } as const
/** Renewed when less than this is left. */
const Margin = { authority: 400 * day, leaf: 30 * day } as const
/** Clocks of clients may be a little behind. */
const clockSkew = 300_000

const authoritySubject = { commonName: 'windlass-ca' } as const
const adminSubject = { commonName: 'admin', organizations: ['system:masters'] } as const
const localNames = ['127.0.0.1', '::1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'] as const

/**
 * The server's credentials: made once, then used again. Certificates are renewed with the same key before they run out, so what
 * clients hold (the CA, tokens, certificates) stays valid.
 *
 * Each file is complete in itself: stopped between any two of them, the next call goes on from what is there.
 */
export function ensureCredentials(store: CredentialStore, { random, now, names = [] }: CredentialOptions): Credentials {
  const issuer: Issuer = { subject: authoritySubject, key: ensureKey(store, 'ca.key', random) }
  const ca = ensureCertificate(store, 'ca.crt', now + Margin.authority, {
    key: issuer.key,
    make: () => authorityCertificate({ ...issuer, validity: validity(now, Lifetime.authority), random }),
    isUsable: (certificate) => certificate.ca,
  })

  const serverNames = [...new Set([...localNames, ...names])]
  const serverKey = ensureKey(store, 'server.key', random)
  const server = ensureCertificate(store, 'server.crt', now + Margin.leaf, {
    key: serverKey,
    make: () => {
      const subject = { commonName: 'kubernetes' }
      return serverCertificate({ subject, key: serverKey, validity: leafValidity(now, ca), names: serverNames, random }, issuer)
    },
    isUsable: (certificate) => isSignedBy(certificate, issuer) && serverNames.every((name) => isNamed(certificate, name)),
  })

  const adminKey = ensureKey(store, 'admin.key', random)
  const admin = ensureCertificate(store, 'admin.crt', now + Margin.leaf, {
    key: adminKey,
    make: () => userCertificate({ subject: adminSubject, key: adminKey, validity: leafValidity(now, ca), random }, issuer),
    isUsable: (certificate) => isSignedBy(certificate, issuer),
  })

  return {
    ca,
    server: { certificate: server, key: privateKeyPem(serverKey) },
    admin: { certificate: admin, key: privateKeyPem(adminKey) },
    adminToken: ensureToken(store, 'admin.token', random),
    tokenKey: ensureKey(store, 'service-account.key', random),
    issueClientCertificate({ user, groups, cluster, now: issuedAt }) {
      const key = newPrivateKey(random)
      const unit = cluster === undefined ? {} : { organizationalUnit: clusterUnit(cluster) }
      const subject = { commonName: user, organizations: groups, ...unit }
      const certificate = userCertificate({ subject, key, validity: leafValidity(issuedAt, ca), random }, issuer)
      return { certificate, key: privateKeyPem(key) }
    },
  }
}

function validity(now: Instant, lifetime: number): Validity {
  return { notBefore: now - clockSkew, notAfter: now + lifetime }
}

/** Nothing outlives the certificate that signed it. */
function leafValidity(now: Instant, ca: string): Validity {
  const limit = expiry(new X509Certificate(ca))
  return { notBefore: now - clockSkew, notAfter: Math.min(now + Lifetime.leaf, limit) }
}

function ensureKey(store: CredentialStore, file: string, random: Random): KeyObject {
  const stored = store.load(file)
  if (stored !== undefined) return readKey(file, stored)
  const key = newPrivateKey(random)
  store.save(file, Buffer.from(privateKeyPem(key)))
  return key
}

function readKey(file: string, pem: Buffer): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new CredentialError(file, 'is not a private key in PEM form', { cause })
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new CredentialError(file, 'is not a P-256 key')
  }
  return key
}

interface CertificatePlan {
  readonly key: KeyObject
  readonly make: () => string
  readonly isUsable: (certificate: X509Certificate) => boolean
}

function ensureCertificate(store: CredentialStore, file: string, mustLast: Instant, { key, make, isUsable }: CertificatePlan): string {
  const stored = store.load(file)
  if (stored !== undefined) {
    const certificate = readCertificate(file, stored)
    if (expiry(certificate) > mustLast && certificate.checkPrivateKey(key) && isUsable(certificate)) return stored.toString()
  }
  const made = make()
  store.save(file, Buffer.from(made))
  return made
}

function readCertificate(file: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new CredentialError(file, 'is not a certificate in PEM form', { cause })
  }
}

const expiry = (certificate: X509Certificate): Instant => Date.parse(certificate.validTo)

function isSignedBy(certificate: X509Certificate, issuer: Issuer): boolean {
  return certificate.issuer === `CN=${issuer.subject.commonName}` && certificate.verify(createPublicKey(issuer.key))
}

function isNamed(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name)) !== undefined
}

function ensureToken(store: CredentialStore, file: string, random: Random): string {
  const stored = store.load(file)?.toString().trim()
  if (stored !== undefined && stored !== '') return stored
  // Hexadecimal: one that began with a dash would look like a flag wherever it is pasted into a command line.
  const token = Buffer.from(random.bytes(32)).toString('hex')
  store.save(file, Buffer.from(`${token}\n`))
  return token
}
