import { UpgradeConfig } from '@windlass/api'
import {
  type Action,
  equalJson,
  isConflict,
  type PatchAction,
  type ReconcileContext,
  type Ref,
  refOf,
  StaleView,
  status,
} from '@windlass/kube'
import { type History, type HistoryEntry, historyOf } from '../upgrade-config/history.ts'
import { reapplied } from '../upgrade-config/ownership.ts'

/** Thrown when the UpgradeConfig of a pass is gone, or asks for something else by now: what the pass has decided is nobody's wish any more. */
export class Superseded extends StaleView {
  constructor(ref: Ref, what: 'is gone' | 'was edited') {
    super(ref)
    this.name = 'Superseded'
    this.message = `UpgradeConfig ${ref.namespace ?? ''}/${ref.name} ${what} while it was worked on: nothing more is done for what it asked for`
  }
}

/** Whoever loses a race this often is up against something else than a race. */
const mostAttempts = 6

/**
 * The UpgradeConfig of a pass, as it is stored by now. Parts of it are written by several (notifications leave a record in it, another controller its times),
 * so that each write begins with what the last one left, and after a conflict with what somebody else wrote.
 */
export class StoredUpgrade {
  readonly #context: ReconcileContext
  #current: UpgradeConfig
  /** What everything in the pass is decided for. */
  #spec: UpgradeConfig['spec']

  constructor(upgradeConfig: UpgradeConfig, context: ReconcileContext) {
    this.#current = upgradeConfig
    this.#spec = upgradeConfig.spec
    this.#context = context
  }

  get current(): UpgradeConfig {
    return this.#current
  }

  /**
   * Reads it anew. Undefined when it is gone, or when another one has taken its place: that one is none of this pass's business. Throws `Superseded` when it
   * was edited.
   */
  async reread(): Promise<UpgradeConfig | undefined> {
    const found = await this.#find()
    if (found !== undefined && !equalJson(found.spec, this.#spec)) throw new Superseded(refOf(found), 'was edited')
    return found
  }

  /** Throws `Superseded` unless it is there and asks for what the pass is about. A pass may take minutes, in which people change their minds. */
  async mustBeWanted(): Promise<void> {
    if ((await this.reread()) === undefined) throw new Superseded(refOf(this.#current), 'is gone')
  }

  async #find(): Promise<UpgradeConfig | undefined> {
    const { client, signal } = this.#context
    const found = await client.find(UpgradeConfig, refOf(this.#current), { signal })
    if (found === undefined || found.metadata.uid !== this.#current.metadata.uid) return undefined
    this.#current = found
    return found
  }

  /** Writes a history that was decided on what is stored. Throws the conflict when that has changed: then all of it is decided anew. */
  async writeHistory(history: History, reason: string): Promise<void> {
    if (history !== historyOf(this.#current))
      await this.act(status(UpgradeConfig, this.#current, { history }, reason, { ifUnchanged: true }))
  }

  /**
   * Writes what a pass came to. What was done in it has been done: after a conflict, only the fields that are ours are written again, on top of what
   * somebody else wrote.
   */
  async writeEntry(entry: HistoryEntry, reason: string): Promise<void> {
    await this.#insist(async (upgradeConfig) => {
      const history = reapplied(historyOf(upgradeConfig), entry, 'controller')
      await this.act(status(UpgradeConfig, upgradeConfig, { history }, reason, { ifUnchanged: true }))
    })
  }

  /** Makes a patch that must not undo what others wrote; `make` gives none when there is nothing to do any more. */
  async patch(make: (upgradeConfig: UpgradeConfig) => PatchAction | undefined): Promise<void> {
    await this.#insist(async (upgradeConfig) => {
      const action = make(upgradeConfig)
      if (action !== undefined) await this.act(action)
    })
  }

  /** Carries out an action, and takes in what it left of the UpgradeConfig. */
  async act(action: Action): Promise<void> {
    const written = await this.#context.act(action)
    if (action.do === 'event' || action.kind.kind !== UpgradeConfig.kind) return
    if (written === undefined || written.metadata.uid !== this.#current.metadata.uid) return
    // What an action on an UpgradeConfig gives back is one.
    this.#current = written as UpgradeConfig
    if (action.do === 'patch' && 'spec' in action.patch) this.#spec = this.#current.spec
  }

  async #insist(write: (upgradeConfig: UpgradeConfig) => Promise<void>): Promise<void> {
    let upgradeConfig: UpgradeConfig | undefined = this.#current
    for (let attempt = 1; upgradeConfig !== undefined; attempt++) {
      try {
        await write(upgradeConfig)
        return
      } catch (error) {
        if (!isConflict(error) || attempt >= mostAttempts) throw error
      }
      // What was done has been done: it is written down though the spec may have been edited.
      upgradeConfig = await this.#find()
    }
  }
}
