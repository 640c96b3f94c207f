import { UpgradeConfig } from '@windlass/api'
import { type Action, isConflict, type PatchAction, type ReconcileContext, refOf, status } from '@windlass/kube'
import { type History, type HistoryEntry, historyOf } from '../upgrade-config/history.ts'
import { reapplied } from '../upgrade-config/ownership.ts'

/** Whoever loses a race this often is up against something else than a race. */
const mostAttempts = 6

/**
 * The UpgradeConfig of a pass, as it is stored by now. Parts of it are written by several (notifications leave a record in it, another controller its times),
 * so that each write begins with what the last one left, and after a conflict with what somebody else wrote.
 */
export class StoredUpgrade {
  readonly #context: ReconcileContext
  #current: UpgradeConfig

  constructor(upgradeConfig: UpgradeConfig, context: ReconcileContext) {
    this.#current = upgradeConfig
    this.#context = context
  }

  get current(): UpgradeConfig {
    return this.#current
  }

  /** Reads it anew. Undefined when it is gone, or when another one has taken its place: that one is none of this pass's business. */
  async reread(): Promise<UpgradeConfig | undefined> {
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
    // What an action on an UpgradeConfig gives back is one.
    if (written?.metadata.uid === this.#current.metadata.uid) this.#current = written as UpgradeConfig
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
      upgradeConfig = await this.reread()
    }
  }
}
