import { ClusterVersion, ConfigMap, UpgradeConfig } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import type { Invariant, StateReader } from '@windlass/kube/simulation'
import { hasCommenced } from '../cluster/cluster-version.ts'
import { configMapName, readConfig } from '../config/index.ts'
import { seen } from '../observed/seen.ts'
import { defaultNamespace, entryOf, upgradeConfigName } from '../upgrade-config/index.ts'

const minute = 60_000
/** The clock of a process may be wrong by half a minute, a pass takes its time, and an answer of the server may be late. */
const tolerance = 2 * minute

/**
 * Which UpgradeConfigs there were of late. What is done for an upgrade before it has commenced must be wanted, and due: by the one that is there, or by one that
 * whoever does it may have read a moment before it was deleted or edited.
 */
export class Wishes {
  #past: readonly { readonly upgradeConfig: UpgradeConfig; readonly until: Instant }[] = []

  /** Remembers, and finds nothing wrong. */
  readonly watching: Invariant = {
    name: 'what people wish is remembered',
    of: UpgradeConfig,
    holds: (write) => {
      const was = write.was(UpgradeConfig)
      const isRecent = ({ until }: { readonly until: Instant }): boolean => until >= write.at - tolerance
      if (was !== undefined) this.#past = [...this.#past.filter(isRecent), { upgradeConfig: was, until: write.at }]
      return true
    },
  }

  /** True when something may be done for an upgrade at this moment; else what is wrong with that. */
  judge(at: Instant, state: StateReader, clusterVersion = state.get(ClusterVersion, { name: 'version' })): true | string {
    const current = state.get(UpgradeConfig, { namespace: defaultNamespace, name: upgradeConfigName })
    const recent = this.#past.filter(({ until }) => until >= at - tolerance).map(({ upgradeConfig }) => upgradeConfig)
    const answers = [...(current === undefined ? [] : [current]), ...recent].map((wish) => judgeBy(wish, at, state, clusterVersion))
    return answers.includes(true) || (answers[0] ?? 'there is no UpgradeConfig')
  }
}

function judgeBy(upgradeConfig: UpgradeConfig, at: Instant, state: StateReader, clusterVersion: ClusterVersion | undefined): true | string {
  const { upgradeAt, desired } = upgradeConfig.spec
  const commenced = clusterVersion === undefined ? seen(false) : hasCommenced(desired, seen(clusterVersion))
  if ('value' in commenced && commenced.value) return true
  if (at < (parseTime(upgradeAt) ?? Number.POSITIVE_INFINITY) - tolerance) return `it is due at ${upgradeAt}`
  const began = parseTime(entryOf(upgradeConfig)?.startTime)
  const config = readConfig(state.get(ConfigMap, { namespace: defaultNamespace, name: configMapName }) ?? {})
  const window = config['upgradeWindow.timeOut'] * minute
  const isMissed = upgradeConfig.spec.type === 'OSD' && window > 0 && began !== undefined && at > began + window + tolerance
  return !isMissed || `its window began at ${entryOf(upgradeConfig)?.startTime ?? ''}`
}
