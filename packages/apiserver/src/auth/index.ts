/**
 * Who asks, and whether they may.
 *
 * - `tokens/` turns credentials into a `User` (401 when they are wrong), `certificates/` makes and reads X.509 certificates and
 *   keeps the server's own credentials, `kubeconfig.ts` writes them down for clients.
 * - `impersonation.ts` swaps the user for another one, if the first one may.
 * - `rbac/` decides what the user may do; `refusal.ts` words the 403.
 * - `reviews/` answers the same questions as an API.
 *
 * The way of a request: `authenticate`, then `readImpersonation` and `impersonate`, then `assertAllowed`; before a role or
 * binding is written also `assertNoEscalation`. Each logical cluster has an `RbacAuthorizer` of its own, all share the
 * `Authenticator`.
 */
export type { Attributes, Authorize, Decision, PathAttributes, ResourceAttributes } from './attributes.ts'
export * from './certificates/index.ts'
export { impersonate, readImpersonation } from './impersonation.ts'
export type { Impersonation } from './impersonation.ts'
export { kubeconfig } from './kubeconfig.ts'
export type { KubeconfigOptions } from './kubeconfig.ts'
export * from './rbac/index.ts'
export { accessForbidden, assertAllowed, forbiddenMessage, unauthorized } from './refusal.ts'
export * from './reviews/index.ts'
export * from './tokens/index.ts'
export { anonymous, userInfo } from './user.ts'
export type { User } from './user.ts'
