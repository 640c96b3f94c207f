import type { ClusterVersion, machineApi, MachineConfigPool, Node, UpgradeConfig } from '@windlass/api'
import { aMachine, aMachineSet, aNode } from '@windlass/api/fixtures'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import type { OperatorConfig } from '../config/index.ts'
import type { Effect } from '../effects/index.ts'
import { decideNotification, recordOwed, recordSent } from '../notifications/index.ts'
import type { Facts } from '../observed/facts.ts'
import { seen } from '../observed/seen.ts'
import { MachineLabel } from '../scaling/index.ts'
import { type Hands, runUpgrade, upgraderFor } from '../steps/index.ts'
import { entryOf, historyOf, withEntry } from '../upgrade-config/index.ts'
import type { Silence } from '../windows/index.ts'
import { aWorkerSet, configured, healthyFacts, minute, now, theCluster, thePool } from './clusters.ts'

/** Ends the process in the middle of whatever it does. */
export class Crash extends Error {}

const workers = aWorkerSet('workers-a')
const worker = aNode()

/**
 * A cluster that does what it is told, in its own time: an extra machine takes 5 minutes, the control plane 30, each of three workers 10. Only what is in
 * here survives a crash.
 */
export class World {
  now: Instant = now
  upgradeConfig: UpgradeConfig
  readonly config: OperatorConfig
  /** What was told, each time that it was. */
  readonly sent: string[] = []
  /** Patches of the version's desired update. */
  commenced: Instant | undefined
  commences = 0
  silences: readonly Silence[] = []
  extras: readonly { readonly name: string; readonly since: Instant }[] = []
  #effects = 0
  /** Numbers of effects before which, and of those after which, the process dies. */
  readonly #crashes: ReadonlySet<string>

  constructor(upgradeConfig: UpgradeConfig, config: Partial<OperatorConfig>, crashes: Iterable<string> = []) {
    this.upgradeConfig = upgradeConfig
    this.config = configured(config)
    this.#crashes = new Set(crashes)
  }

  /** One pass of the controller in phase Upgrading; what it stores is lost when it dies. */
  async pass(): Promise<void> {
    const entry = entryOf(this.upgradeConfig)
    if (entry?.phase !== 'Upgrading') return
    const facts = { clusterVersion: seen(this.clusterVersion()) }
    const hands: Hands = { look: () => Promise.resolve(this.#facts()), perform: (effect) => this.#perform(effect), log: () => {} }
    try {
      const start = { upgradeConfig: this.upgradeConfig, entry, config: this.config, facts, now: this.now }
      const result = await runUpgrade(upgraderFor(this.upgradeConfig.spec.type), start, hands)
      const history = withEntry(historyOf(this.upgradeConfig), result.entry)
      if (!this.#isDead) this.upgradeConfig = { ...this.upgradeConfig, status: { history } }
    } finally {
      this.#isDead = false
      this.now += minute
    }
  }

  #isDead = false

  async #perform(effect: Effect): Promise<void> {
    if (effect.do === 'gauge') return
    const number = this.#effects++
    this.#maybeDie(`before ${number}`)
    this.#carryOut(effect)
    this.#maybeDie(`after ${number}`)
  }

  /** A dead process does nothing any more, whatever its code would still do. */
  #maybeDie(moment: string): void {
    if (this.#crashes.has(moment)) this.#isDead = true
    if (this.#isDead) throw new Crash(moment)
  }

  #carryOut(effect: Effect): void {
    switch (effect.do) {
      case 'notify': {
        const decision = decideNotification({ ...effect, upgradeConfig: this.upgradeConfig, isOnGauge: false, found: seen([]) })
        if (decision.is !== 'send') return
        this.sent.push(decision.state)
        this.#annotate(recordSent(this.upgradeConfig, decision.state)?.patch)
        return
      }
      case 'owe':
        this.#annotate(recordOwed(this.upgradeConfig, effect.state)?.patch)
        return
      case 'create silence': {
        const id = `${this.silences.length}`
        this.silences = [...this.silences, { ...effect.silence, id, updatedAt: effect.silence.startsAt, status: { state: 'active' } }]
        return
      }
      case 'end silence': {
        const at = formatTime(this.now)
        const ended = { endsAt: at, updatedAt: at, status: { state: 'expired' as const } }
        this.silences = this.silences.map((silence) => (silence.id === effect.silence.id ? { ...silence, ...ended } : silence))
        return
      }
      case 'act':
        return this.#act(effect)
      case 'replace':
      case 'delete pod':
      case 'gauge':
        return
      default:
        return effect satisfies never
    }
  }

  #act({ action }: Extract<Effect, { readonly do: 'act' }>): void {
    if (action.do === 'patch' && action.kind.kind === 'ClusterVersion') {
      this.commenced ??= this.now
      this.commences++
    }
    if (action.do === 'create') {
      const name = action.object.metadata.name ?? ''
      if (!this.extras.some((extra) => extra.name === name)) this.extras = [...this.extras, { name, since: this.now }]
    }
    if (action.do === 'delete') this.extras = this.extras.filter(({ name }) => name !== action.object.metadata.name)
  }

  #annotate(patch: object | undefined): void {
    const { metadata } = (patch ?? {}) as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } }
    const annotations = { ...this.upgradeConfig.metadata.annotations, ...metadata?.annotations }
    this.upgradeConfig = { ...this.upgradeConfig, metadata: { ...this.upgradeConfig.metadata, annotations } }
  }

  #since(start: Instant | undefined): number {
    return start === undefined ? Number.NEGATIVE_INFINITY : (this.now - start) / minute
  }

  clusterVersion(): ClusterVersion {
    if (this.commenced === undefined) return theCluster()
    const desiredUpdate = { version: '4.4.6' }
    if (this.#since(this.commenced) >= 30) return theCluster({ completed: ['4.4.6', '4.4.5'], desiredUpdate })
    return theCluster({ partial: { version: '4.4.6', since: formatTime(this.commenced) }, desiredUpdate })
  }

  #pool(): MachineConfigPool {
    const minutes = this.#since(this.commenced) - 25
    return minutes < 0 ? thePool(3, 3) : thePool(Math.min(3, Math.floor(minutes / 10)), 3)
  }

  #facts(): Partial<Facts> {
    const labels = (name: string) => ({ [MachineLabel.upgrade]: 'true', [MachineLabel.machineSet]: name })
    const isReady = (since: Instant): boolean => this.#since(since) >= 5
    const sets: readonly machineApi.MachineSet[] = this.extras.map(({ name, since }) => {
      const metadata = { labels: labels(name), creationTimestamp: formatTime(since) }
      return aMachineSet({ name, metadata, status: { replicas: 1, readyReplicas: isReady(since) ? 1 : 0 } })
    })
    const machines = this.extras.map(({ name, since }) =>
      aMachine({
        name,
        metadata: { labels: labels(name) },
        status: isReady(since) ? { phase: 'Running', nodeRef: { name } } : { phase: 'Provisioning' },
      }),
    )
    const nodes: readonly Node[] = this.extras.filter(({ since }) => isReady(since)).map(({ name }) => aNode({ name }))
    const silences = this.silences.map((silence) => {
      const isOver = (parseTime(silence.endsAt) ?? 0) <= this.now
      return isOver ? { ...silence, status: { state: 'expired' as const } } : silence
    })
    return {
      ...healthyFacts(this.clusterVersion()),
      machineSets: seen([workers, ...sets]),
      machines: seen(machines),
      nodes: seen([worker, ...nodes]),
      silences: seen(silences),
      workerPool: seen(this.#pool()),
    }
  }
}
