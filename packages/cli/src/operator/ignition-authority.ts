import { createPrivateKey, X509Certificate } from 'node:crypto'
import { Secret } from '@windlass/api'
import { authorityCertificate, type CertifiedKey, newPrivateKey, privateKeyPem, serverCertificate } from '@windlass/apiserver/certificates'
import type { Clock, Random } from '@windlass/core'
import { type Client, isAlreadyExists } from '@windlass/kube'
import { Failure } from '../failures.ts'

/** Whom machines trust when they fetch their first configuration. */
export interface IgnitionAuthority {
  /** PEM; goes into Secret `ignition-server-ca-cert` of each control plane. */
  readonly certificate: string
  /** A certificate for a server of that name; undefined for what is no name. */
  readonly certify: (name: string) => CertifiedKey | undefined
}

export interface AuthorityParts {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  /** Where its Secret is. */
  readonly namespace: string
}

export const authoritySecretName = 'windlass-ignition-authority'

const subject = { commonName: 'windlass-ignition' }
const day = 86_400_000
const lifetime = { authority: 3650 * day, leaf: 365 * day }
/** Clocks of machines may be behind. */
const clockSkew = day

/**
 * The authority of this management cluster: made once and kept in a Secret, so that every operator that leads after this one is trusted as well.
 *
 * Errors: a `Failure` when the Secret holds something else.
 */
export async function ignitionAuthority(parts: AuthorityParts): Promise<IgnitionAuthority> {
  const { client, clock, random, namespace } = parts
  const ref = { namespace, name: authoritySecretName }
  const secret = (await client.find(Secret, ref)) ?? (await created(parts)) ?? (await client.get(Secret, ref))
  const text = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString()
  const certificate = text('tls.crt')
  const issuer = { subject, key: keyIn(certificate, text('tls.key'), ref) }
  const key = newPrivateKey(random)
  return {
    certificate,
    certify(name) {
      if (!/^[\w.-]{1,253}$/.test(name)) return undefined
      const validity = validFor(clock, lifetime.leaf)
      const request = { subject: { commonName: 'ignition-server' }, key, validity, names: [name], random }
      return { certificate: serverCertificate(request, issuer), key: privateKeyPem(key) }
    },
  }
}

/** Undefined when another operator was faster. */
async function created({ client, clock, random, namespace }: AuthorityParts): Promise<Secret | undefined> {
  const key = newPrivateKey(random)
  const certificate = authorityCertificate({ subject, key, validity: validFor(clock, lifetime.authority), random })
  try {
    return await client.create(Secret, {
      metadata: { namespace, name: authoritySecretName },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': encoded(certificate), 'tls.key': encoded(privateKeyPem(key)) },
    })
  } catch (error) {
    if (isAlreadyExists(error)) return undefined
    throw error
  }
}

function keyIn(certificate: string, key: string, { namespace, name }: { readonly namespace: string; readonly name: string }) {
  try {
    const privateKey = createPrivateKey(key)
    if (new X509Certificate(certificate).checkPrivateKey(privateKey)) return privateKey
  } catch {
    // Said below: what is in it is no certificate, or no key.
  }
  throw new Failure(
    `Secret ${namespace}/${name} should hold an authority that machines trust, in tls.crt and tls.key, and does not: delete it to have another one made`,
  )
}

function validFor(clock: Clock, time: number) {
  return { notBefore: clock.now() - clockSkew, notAfter: clock.now() + time }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')
