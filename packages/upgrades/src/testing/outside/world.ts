import type { Clock, Instant } from '@windlass/core'
import type { DeploymentValidation } from '../../health/deployment-validation.ts'
import { isSameOccasion } from '../../notifications/index.ts'
import type { Labels } from '../../observed/prometheus.ts'
import { type Seen, seen, unseen } from '../../observed/seen.ts'
import type { Outside } from '../../outside/types.ts'
import { SimulatedAlertmanager } from './alertmanager.ts'
import { type Call, Line, type LineWorld, type Mishap, type Service } from './line.ts'
import { SimulatedOcm } from './ocm.ts'

/**
 * Everything that upgrades talk to besides the API, in memory. It is there once for a run, whatever becomes of processes; `connect` gives each life of one its
 * own way to it.
 */
export class OutsideWorld implements LineWorld {
  readonly alertmanager: SimulatedAlertmanager
  readonly ocm: SimulatedOcm
  readonly down = new Set<Service>()
  /** Critical alerts that fire. */
  firing: readonly Labels[] = []
  /** What fired among our own alerts while upgrades ran. */
  paging: readonly string[] = []
  /** Events of which Prometheus remembers that another operator sent them. */
  sentBefore: readonly string[] = []
  /** External dependencies that do not answer. */
  unavailable: readonly string[] = []
  deploymentValidation: DeploymentValidation = { is: 'not installed' }
  /** The version that an image carries. */
  readonly images = new Map<string, string>()
  readonly queries: string[] = []
  onCall: ((call: Call) => void) | undefined
  onEffect: ((what: string) => void) | undefined
  mishap: ((service: Service, what: string) => Mishap) | undefined
  #clock: Clock | undefined
  readonly #start: Instant

  constructor(start: Instant) {
    this.#start = start
    const now = (): Instant => this.#now()
    this.alertmanager = new SimulatedAlertmanager(now)
    this.ocm = new SimulatedOcm(now, { id: 'ocm-1', version: { channel_group: 'stable' } })
  }

  connect(clock: Clock, process = 'operator-1'): Outside {
    this.#clock ??= clock
    const line = new Line(process, clock, this)
    const { alertmanager, ocm } = this
    const ask = <T>(service: Service, what: string, answer: () => T): Promise<Seen<T>> =>
      line.call(service, what, answer).then(seen, (error: unknown) => unseen(error instanceof Error ? error.message : String(error)))
    return {
      prometheus: { query: (promql) => ask('prometheus', promql, () => this.#query(promql)) },
      alertmanager: {
        silences: () => ask('alertmanager', 'list', () => alertmanager.list()),
        create: (silence) => line.call('alertmanager', `create ${silence.comment}`, () => alertmanager.create(silence)),
        end: (id) => line.call('alertmanager', `end ${id}`, () => alertmanager.end(id)),
      },
      ocm: () => ({
        cluster: async () => {
          const found = await ask('ocm', 'cluster', () => ocm.cluster)
          return 'value' in found
            ? { is: 'found', cluster: found.value }
            : { is: 'unreadable', problem: `OCM Provider unavailable: ${found.problem}` }
        },
        policies: () => ask('ocm', 'policies', () => ocm.policies),
        policyState: (_, id) => ask('ocm', `state of ${id}`, () => ocm.stateOf(id)),
        setPolicyState: (_, id, body) => line.call('ocm', `set ${body.value}`, () => ocm.setState(id, body)),
        postServiceLog: (_, log) => line.call('ocm', `log ${log.summary}`, () => ocm.post(log)),
        hasServiceLog: (_, log) =>
          ask('ocm', 'logs', () =>
            ocm.logs.some(({ summary, description }) => summary === log.summary && isSameOccasion(description, log.description)),
          ),
      }),
      dependencies: {
        check: async (urls) => {
          const bad = urls.filter((url) => this.unavailable.includes(url))
          const answer = await ask('dependencies', 'check', () => true as const)
          return bad.length === 0 ? answer : unseen(`external dependencies are not available: ${bad.join('; ')}`)
        },
      },
      releases: {
        imageVersion: async (image) => {
          const found = await ask('releases', image, () => this.images.get(image))
          if ('problem' in found) return found
          return found.value === undefined ? unseen(`there is no image ${image}`) : seen(found.value)
        },
        updateGraph: (url) => ask('releases', url, () => ({ nodes: [] })),
      },
      deploymentValidation: {
        metrics: async () => {
          const found = await ask('deployment validation', 'metrics', () => this.deploymentValidation)
          return 'value' in found ? found.value : { is: 'unanswered', problem: found.problem }
        },
      },
    }
  }

  /** Goes by a clock that does not jump, whatever that of a process does. */
  #now(): Instant {
    return this.#start + (this.#clock?.monotonic() ?? 0)
  }

  #query(promql: string): readonly Labels[] {
    this.queries.push(promql)
    if (promql.startsWith('ALERTS{')) return this.firing.filter(({ alertname = '' }) => !promql.includes(`alertname!="${alertname}"`))
    if (promql.startsWith('upgradeoperator_upgrade_notification{')) {
      return this.sentBefore.filter((event) => promql.includes(`event="${event}"`)).map((event) => ({ event }))
    }
    return promql.startsWith('sum by') ? this.paging.map((alertname) => ({ alertname })) : []
  }
}
