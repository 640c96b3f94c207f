/**
 * Managed upgrades of a classic cluster, driven by one UpgradeConfig. Pure rules: who reads and writes is elsewhere.
 *
 * A pass over the UpgradeConfig decides by its phase (`upgrade-config/`), and in the phase Upgrading runs the steps of an upgrade (`steps/`). Decisions are values:
 * what to look at next (`observed/`), what to do (`effects/`), what to store.
 *
 * - `config/`: the operator's configuration. `validation/`: whether an UpgradeConfig can be had. `cluster/`: questions to the cluster.
 * - What steps are made of: `health/` checks, `scaling/` of extra workers, `windows/` of maintenance, `availability/` of external dependencies, `drain/`.
 * - Beside it: `node-keeper/` looks after each node, `worker-pool/` writes down when workers began and ended.
 * - `provider/`: where UpgradeConfigs come from. `notifications/`: who is told what. `metrics/`: what Prometheus is told.
 */
export { checkConfig, ConfigError, configMapKey, configMapName, defaultConfig, type OperatorConfig, readConfig } from './config/index.ts'
export { collect, gauges, type Sample, type Series, timestampSamples } from './metrics/index.ts'
export { decideNode, isKept } from './node-keeper/index.ts'
export { MachineLabel } from './scaling/index.ts'
export { type Hands, runUpgrade, type Upgrader, upgraderFor } from './steps/index.ts'
export {
  Annotation,
  decidePhase,
  entryOf,
  type HistoryEntry,
  openEntry,
  operatorName,
  type Phase,
  type StepCondition,
  stepConditions,
  upgradeConfigName,
} from './upgrade-config/index.ts'
export { decidePool } from './worker-pool/index.ts'
