import type { ClusterAnswer } from '../provider/ocm-answers.ts'
import type { DeploymentValidation } from '../health/deployment-validation.ts'
import type { ServiceLog, UpgradePolicy, UpgradePolicyState } from '../notifications/ocm.ts'
import type { Labels } from '../observed/prometheus.ts'
import type { Seen } from '../observed/seen.ts'
import type { UpdateGraph } from '../validation/graph.ts'
import type { NewSilence, Silence } from '../windows/silence.ts'

/**
 * Everything that upgrades talk to besides the Kubernetes API.
 *
 * Who asks gets an answer: a failed read is a `Seen` with its problem, and never throws. Writes throw what went wrong, in a message that says whom we talked
 * to. Retries, time limits, credentials and proxies are the business of whoever implements this; connections are made when they are first needed, and kept. The
 * signal ends a call at once, for good.
 */
export interface Outside {
  readonly prometheus: Prometheus
  readonly alertmanager: Alertmanager
  /** OCM, or its agent in the cluster: the address tells which. Called in every pass, so whoever implements it keeps what is behind an address. */
  readonly ocm: (address: OcmAddress) => Ocm
  readonly dependencies: Dependencies
  readonly releases: Releases
  readonly deploymentValidation: DeploymentValidationOperator
}

export interface Prometheus {
  /** The labels of each series that an instant query finds. */
  query(promql: string, signal: AbortSignal): Promise<Seen<readonly Labels[]>>
}

export interface Alertmanager {
  /** All silences, in every state, whoever made them. */
  silences(signal: AbortSignal): Promise<Seen<readonly Silence[]>>
  create(silence: NewSilence, signal: AbortSignal): Promise<void>
  /** A silence that is gone already, or has ended, is success. */
  end(id: string, signal: AbortSignal): Promise<void>
}

/** Where OCM is, and by which id the cluster knows itself. */
export interface OcmAddress {
  readonly baseUrl: string
  readonly clusterId: string
}

/** `ocmId` is the id by which OCM knows the cluster, see `cluster`. */
export interface Ocm {
  cluster(signal: AbortSignal): Promise<ClusterAnswer>
  /** All pages of them. */
  policies(ocmId: string, signal: AbortSignal): Promise<Seen<readonly UpgradePolicy[]>>
  policyState(ocmId: string, policyId: string, signal: AbortSignal): Promise<Seen<UpgradePolicyState>>
  setPolicyState(ocmId: string, policyId: string, body: PolicyStateBody, signal: AbortSignal): Promise<void>
  /** The agent has no route for these: there, a 404 is success. The entry is about the cluster with this id. */
  postServiceLog(ocmId: string, log: ServiceLog, signal: AbortSignal): Promise<void>
  /**
   * Whether an entry of the same summary and description is there: asked before one is posted of which a process that died may have been posting it. Where
   * there is no such route, the answer is that it is; where we may not look, that it is not.
   */
  hasServiceLog(ocmId: string, log: ServiceLog, signal: AbortSignal): Promise<Seen<boolean>>
}

export interface PolicyStateBody {
  readonly kind: 'UpgradePolicyState'
  readonly value: string
  readonly description: string
}

/** External dependencies that a cluster needs for an upgrade. */
export interface Dependencies {
  /** Asks all of them at once. True when each has answered; else the problems of all that did not, see `availabilityProblem`. */
  check(urls: readonly string[], timeoutSeconds: number, signal: AbortSignal): Promise<Seen<true>>
}

/** What is known about releases outside of the cluster. */
export interface Releases {
  /** The version that a release image carries as its label; `architecture` picks from a list of images. The cluster's pull secret opens the registry. */
  imageVersion(image: string, architecture: string, signal: AbortSignal): Promise<Seen<string>>
  /** The answer of the update service at this address, which carries the query. */
  updateGraph(url: string, signal: AbortSignal): Promise<Seen<UpdateGraph>>
}

export interface DeploymentValidationOperator {
  /** Its metrics; that it is not installed is an answer too. */
  metrics(clusterId: string, signal: AbortSignal): Promise<DeploymentValidation>
}
