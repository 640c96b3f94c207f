/**
 * How a new machine gets its configuration: it is born with user data, which hold a token, which the ignition server knows.
 *
 * - `token-secret.ts`, `user-data.ts`: the two Secrets of a configuration. `encoding.ts`: how values are written.
 * - `lifecycle.ts`: what a pass over a pool does about them; `expiry.ts`: how old ones go; `janitor.ts`: what is left over.
 * - `token-controller.ts`: the rules of tokens: made, replaced, expired. `payload-store.ts`: payloads by token.
 * - `ignition-endpoint.ts`: what a machine is answered. `payload.ts`: what it gets.
 * - `controller.ts`, `janitor-controller.ts`: who does all that. `ignition-service.ts`: between the first of them and machines; `ignition-server.ts`: the port.
 */
export { decoded, encoded, formatPreciseTime, packed, unpacked } from './encoding.ts'
export { isUserDataNeeded, tokenGracePeriod, type UserDataUsers } from './expiry.ts'
export { tokenController, type TokenControllerOptions } from './controller.ts'
export { answerIgnition, type IgnitionAnswer, type IgnitionRequest } from './ignition-endpoint.ts'
export { ignitionServer, type IgnitionServer, type IgnitionServerOptions } from './ignition-server.ts'
export { IgnitionService } from './ignition-service.ts'
export { nodePoolJanitor } from './janitor-controller.ts'
export { decideSecret, isPoolSecret, type ObservedSecret } from './janitor.ts'
export { secretActions } from './lifecycle.ts'
export { mergedPayload, type PayloadGenerator, type PayloadRequest } from './payload.ts'
export { payloadLifetime, PayloadStore, type StoredPayload } from './payload-store.ts'
export {
  applyToStore,
  concludePayload,
  decideToken,
  type Generated,
  type TokenDecision,
  tokenLifetime,
  tokensOf,
} from './token-controller.ts'
export { cloudConfigHash } from './token-secret.ts'
