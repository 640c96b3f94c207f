/**
 * Who sends a request.
 *
 * - `authenticator.ts` tries certificates, then bearer tokens, then answers `system:anonymous`.
 * - `token-file.ts` reads tokens known by heart; `jwt.ts` signs and verifies the others.
 * - `service-account-token.ts` and `cluster-token.ts` say what those others claim, and what must still be true of it.
 */
export { adminToken, Authenticator, bearerFromProtocols, bearerToken, createAuthenticator } from './authenticator.ts'
export type { AuthenticatorOptions, Presented, TokenResult } from './authenticator.ts'
export { rootCluster } from './claims.ts'
export type { ClusterTokenRequest, ClusterUid } from './cluster-token.ts'
export type { BoundResource, ObjectLookup, ServiceAccountTokenRequest } from './service-account-token.ts'
export { parseTokenFile, TokenFileError } from './token-file.ts'
export type { StaticToken } from './token-file.ts'
