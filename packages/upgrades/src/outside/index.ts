/**
 * Everything that upgrades talk to besides the Kubernetes API, over HTTP.
 *
 *   const outside = createOutside({ client, clock, random, log, userAgent, env: process.env })
 *
 * - `types.ts`: what upgrades want to know and to have done; nothing else knows that there is a network. `outside.ts`: all of it together.
 * - `prometheus.ts`, `alertmanager.ts` (with `silences.ts`): the cluster's monitoring. `monitoring.ts`: how it is asked; `monitoring-token.ts`: what opens it.
 * - `ocm.ts`: OCM or its agent. `ocm-requests.ts`: how they are asked, and asked again; `ocm-credentials.ts`: as whom.
 * - `dependencies.ts`, `deployment-validation.ts`, `releases.ts` (with `registry.ts`, `registry-login.ts`): the others.
 * - `cluster-services.ts`: where a Service is and who vouches for it. `ways.ts`: open connections. `exchange.ts`: one request; `following.ts`: wherever it
 *   leads. `kept.ts`: what is read once in a while.
 *
 * Caveat: a call whose signal is aborted rejects with the reason of it, also those that never reject otherwise. Nobody waits for an answer then.
 */
export { createOutside, type OpenOutside, type OutsideOptions } from './outside.ts'
export type {
  Alertmanager,
  Dependencies,
  DeploymentValidationOperator,
  Ocm,
  OcmAddress,
  Outside,
  PolicyStateBody,
  Prometheus,
  Releases,
} from './types.ts'
export type { Connect } from './ways.ts'
