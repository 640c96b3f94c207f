import { sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { Instant, Random } from '@windlass/core'
import { bitString, explicit, implicit, integer, objectIdentifier, octetString, sequence, set, time, utf8String, yes } from './der.ts'
import { keyIdentifier, publicKeyBytes } from './key-pair.ts'

/** X.509 certificates for P-256 keys, as small as Node, OpenSSL and Go accept them. */

const Oid = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

export interface Subject {
  readonly commonName: string
  readonly organizations?: readonly string[]
  readonly organizationalUnit?: string
}

export interface Validity {
  readonly notBefore: Instant
  readonly notAfter: Instant
}

/** Who signs: the CA's name and key. */
export interface Issuer {
  readonly subject: Subject
  readonly key: KeyObject
}

interface CertificateRequest {
  readonly subject: Subject
  readonly key: KeyObject
  readonly validity: Validity
  readonly random: Random
}

/** A certificate that may sign others, signed by itself. */
export function authorityCertificate(request: CertificateRequest): string {
  return certificate(request, { subject: request.subject, key: request.key }, [
    extension(Oid.basicConstraints, sequence(yes()), 'critical'),
    keyUsage(KeyUsage.digitalSignature | KeyUsage.certificateSign | KeyUsage.crlSign),
  ])
}

/** A certificate for a server that is reached by these DNS names and IP addresses. */
export function serverCertificate(request: CertificateRequest & { readonly names: readonly string[] }, issuer: Issuer): string {
  return certificate(request, issuer, [
    extension(Oid.basicConstraints, sequence(), 'critical'),
    keyUsage(KeyUsage.digitalSignature),
    extension(Oid.extendedKeyUsage, sequence(objectIdentifier(Oid.serverAuth))),
    extension(Oid.subjectAltName, sequence(...request.names.map(alternativeName))),
  ])
}

/** A certificate that a user shows: the common name is the user, the organizations are the groups. */
export function userCertificate(request: CertificateRequest, issuer: Issuer): string {
  return certificate(request, issuer, [
    extension(Oid.basicConstraints, sequence(), 'critical'),
    keyUsage(KeyUsage.digitalSignature),
    extension(Oid.extendedKeyUsage, sequence(objectIdentifier(Oid.clientAuth))),
  ])
}

function certificate(request: CertificateRequest, issuer: Issuer, extensions: readonly Buffer[]): string {
  const algorithm = sequence(objectIdentifier(Oid.ecdsaWithSha256))
  const { notBefore, notAfter } = request.validity
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber(request.random)),
    algorithm,
    distinguishedName(issuer.subject),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(request.subject),
    publicKeyBytes(request.key),
    explicit(
      3,
      sequence(
        ...extensions,
        extension(Oid.subjectKeyIdentifier, octetString(keyIdentifier(request.key))),
        extension(Oid.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(issuer.key)))),
      ),
    ),
  )
  return pem(sequence(content, algorithm, bitString(sign('sha256', content, issuer.key))))
}

/** Sixteen random bytes, positive and of full length. */
function serialNumber(random: Random): Uint8Array {
  const bytes = Buffer.from(random.bytes(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

const attribute = (type: string, value: string): Buffer => set(sequence(objectIdentifier(type), utf8String(value)))

function distinguishedName({ commonName, organizations = [], organizationalUnit }: Subject): Buffer {
  return sequence(
    ...organizations.map((organization) => attribute(Oid.organization, organization)),
    ...(organizationalUnit === undefined ? [] : [attribute(Oid.organizationalUnit, organizationalUnit)]),
    attribute(Oid.commonName, commonName),
  )
}

function extension(type: string, value: Uint8Array, critical?: 'critical'): Buffer {
  return sequence(objectIdentifier(type), ...(critical === undefined ? [] : [yes()]), octetString(value))
}

/** Bits of the extension, counted from the most significant one. */
const KeyUsage = { digitalSignature: 0x80, certificateSign: 0x04, crlSign: 0x02 } as const

function keyUsage(bits: number): Buffer {
  const unused = 31 - Math.clz32(bits & -bits)
  return extension(Oid.keyUsage, bitString(Buffer.from([bits]), unused), 'critical')
}

function alternativeName(name: string): Buffer {
  const version = isIP(name)
  if (version === 0) return implicit(2, Buffer.from(name, 'ascii'))
  return implicit(7, version === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name))
}

/** Sixteen bytes; `::` stands for as many zero groups as are missing. */
function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = dottedTailAsGroups(address.replace(/%.*$/, '')).split('::')
  const first = hexGroups(head)
  const last = tail === undefined ? [] : hexGroups(tail)
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const hexGroups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/** `::ffff:127.0.0.1` ends in an IPv4 address: its four numbers are two groups. */
function dottedTailAsGroups(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...numbers: readonly string[]) => {
    const hex = numbers.slice(0, 4).map((number) => Number(number).toString(16).padStart(2, '0'))
    return `${hex.slice(0, 2).join('')}:${hex.slice(2).join('')}`
  })
}

function pem(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
