import { ClusterVersion, machineApi, MachineConfigPool, UpgradeConfig } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { done, type Plan, type ReconcileContext, requeueAfter, wait } from '@windlass/kube'
import { workerPoolName } from '../cluster/worker-pool.ts'
import { performAll, type Effect } from '../effects/index.ts'
import { allOf, clusterVersionRef } from '../hands/index.ts'
import type { UpgradeParts } from '../parts.ts'
import { machineNamespace } from '../scaling/index.ts'
import { isOurs } from './events.ts'
import { decideSweep, forgetUpgrade } from './gone.ts'

/**
 * What is done while there is no UpgradeConfig: gauges are forgotten as soon as it is gone, silences and extra machines of ours are swept up once it has been gone
 * for long enough. Since when is all that is remembered, and only by this process: one that starts anew waits once more.
 */
export class Orphans {
  readonly #parts: UpgradeParts
  #goneSince: Instant | undefined
  #uid: string | undefined

  constructor(parts: UpgradeParts) {
    this.#parts = parts
  }

  /** There is one. If it is another than before, what the gauges say is about one that is gone. */
  isThere({ metadata }: UpgradeConfig): void {
    if (metadata.namespace !== this.#parts.namespace) return
    if (this.#uid !== undefined && this.#uid !== metadata.uid) this.#forget()
    this.#uid = metadata.uid
    this.#goneSince = undefined
  }

  async look(context: ReconcileContext): Promise<Plan> {
    const { clock, cache } = context
    // Elsewhere there may be one that needs what would be swept up. If it is this one, the cache is late, and its end is still to come.
    if (cache.list(UpgradeConfig).some(isOurs)) return done
    const now = clock.now()
    if (this.#goneSince === undefined) this.#forget()
    this.#uid = undefined
    this.#goneSince ??= now
    const { silences, ...view } = await this.#view(this.#goneSince, context)
    // Machines cost money: they are not kept because nobody knows which silences there are. Most clusters have no leftovers: the resync looks for those again.
    const sweep = decideSweep({ ...view, silences: 'value' in silences ? silences.value : [] }, this.#parts.minute, now)
    switch (sweep.is) {
      case 'nothing to sweep':
        return 'problem' in silences ? wait(`leftovers of upgrades to be looked for again: ${silences.problem}`) : done
      case 'too early':
        return requeueAfter(sweep.requeueAfter, sweep.waitingFor)
      case 'sweep': {
        context.log.info({}, 'there is no UpgradeConfig: silences and extra machines of upgrades are removed')
        const problem = await performAll(
          sweep.effects,
          (effect) => this.#sweep(effect, context),
          () => {},
        )
        if (problem !== undefined) throw new Error(`leftovers of an upgrade cannot be removed: ${problem}`)
        return requeueAfter(this.#parts.minute, 'leftovers of an upgrade to be gone')
      }
      default:
        return sweep satisfies never
    }
  }

  #forget(): void {
    for (const effect of forgetUpgrade()) if (effect.do === 'gauge') this.#parts.gauges.change(effect.change)
  }

  async #view(goneSince: Instant, { client, signal }: ReconcileContext) {
    const [silences, clusterVersion, workerPool, machineSets] = await Promise.all([
      this.#parts.outside.alertmanager.silences(signal),
      client.get(ClusterVersion, clusterVersionRef, { signal }),
      client.get(MachineConfigPool, { name: workerPoolName }, { signal }),
      allOf(client.list(machineApi.MachineSet, { namespace: machineNamespace, signal })),
    ])
    return { goneSince, clusterVersion, workerPool, machineSets, silences }
  }

  async #sweep(effect: Effect, { act, signal, log }: ReconcileContext): Promise<void> {
    if (effect.do === 'act') await act(effect.action)
    if (effect.do !== 'end silence') return
    if (this.#parts.observes) log.info({}, `would end the silence "${effect.silence.comment}"`)
    else await this.#parts.outside.alertmanager.end(effect.silence.id, signal)
  }
}
