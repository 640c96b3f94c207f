/**
 * X.509 without dependencies.
 *
 * - `der.ts` writes the binary form, `certificate.ts` the three sorts of certificates, `key-pair.ts` the keys.
 * - `credentials.ts` keeps the server's own: made once, renewed before they run out.
 * - `peer.ts` reads the user and groups of a client's certificate from its connection.
 */
export { authorityCertificate, serverCertificate, userCertificate } from './certificate.ts'
export type { Issuer, Subject, Validity } from './certificate.ts'
export { CredentialError, ensureCredentials } from './credentials.ts'
export type { CertifiedKey, ClientCertificateRequest, CredentialOptions, Credentials, CredentialStore } from './credentials.ts'
export { newPrivateKey, privateKeyPem } from './key-pair.ts'
export { clientCertificate } from './peer.ts'
export type { ClientCertificate, PeerSocket } from './peer.ts'
