/**
 * Managed upgrades of a classic cluster, driven by one UpgradeConfig.
 *
 * A pass over the UpgradeConfig decides by its phase (`upgrade-config/`), and in the phase Upgrading runs the steps of an upgrade (`steps/`). Decisions are pure, and
 * values: what to look at next (`observed/`), what to do (`effects/`), what to store. `hands/` look and do, for the controllers (`controllers.ts`), which are in the
 * folders of what they look after. `outside/` is everything they talk to besides the API.
 *
 * - `config/`: the operator's configuration. `validation/`: whether an UpgradeConfig can be had. `cluster/`: questions to the cluster.
 * - What steps are made of: `health/` checks, `scaling/` of extra workers, `windows/` of maintenance, `availability/` of external dependencies, `drain/`.
 * - Beside it: `node-keeper/` looks after each node, `worker-pool/` writes down when workers began and ended.
 * - `provider/`: where UpgradeConfigs come from. `notifications/`: who is told what. `metrics/`: what Prometheus is told.
 * - `timeline/`: how an upgrade goes, for people.
 * - `simulation/`: whole upgrades in virtual time, for tests.
 */
export { currentVersion, hasCommenced, poolProgress, workerPoolName } from './cluster/index.ts'
export {
  checkConfig,
  ConfigError,
  configMapKey,
  configMapName,
  configSource,
  type ConfigUser,
  defaultConfig,
  type OperatorConfig,
  readConfig,
} from './config/index.ts'
export { upgradeControllers, type UpgradeControllersOptions } from './controllers.ts'
export { collectorMetrics, collectorRegistry, type CollectorView, exposeCollector, exposeGauges, GaugeBoard } from './metrics/index.ts'
export { collect, gauges, type Sample, type Series, timestampSamples } from './metrics/index.ts'
export {
  checkBudgets,
  checkCapacity,
  checkCordoned,
  checkOperators,
  checkPressure,
  type HealthCheck,
  type HealthReason,
} from './health/index.ts'
export { decideNode, isKept } from './node-keeper/index.ts'
export { createOutside, type OpenOutside, type Outside, type OutsideOptions } from './outside/index.ts'
export { sentStates } from './notifications/index.ts'
export { channelFor } from './provider/index.ts'
export { MachineLabel, machineNamespace, originalsOf } from './scaling/index.ts'
export { validate, type Validation } from './validation/index.ts'
export { type Hands, runUpgrade, type Upgrader, upgraderFor } from './steps/index.ts'
export { timelineOf, type TimelineStep, type UpgradeTimeline } from './timeline/index.ts'
export {
  Annotation,
  conditionOf,
  decidePhase,
  defaultNamespace,
  entryOf,
  heldUpBy,
  type HistoryEntry,
  newestFalse,
  openEntry,
  operatorName,
  type Phase,
  type StepCondition,
  stepConditions,
  upgradeConfigName,
} from './upgrade-config/index.ts'
export { decidePool } from './worker-pool/index.ts'
