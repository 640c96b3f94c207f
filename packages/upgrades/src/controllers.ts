import type { Random } from '@windlass/core'
import type { AnyController } from '@windlass/kube'
import { GaugeBoard } from './metrics/index.ts'
import { nodeKeeper } from './node-keeper/index.ts'
import type { Outside } from './outside/types.ts'
import type { UpgradeParts } from './parts.ts'
import { upgradeConfigManager } from './provider/index.ts'
import { upgradeConfig } from './upgrade-config/controller.ts'
import { defaultNamespace } from './upgrade-config/names.ts'
import { machineConfigPool } from './worker-pool/index.ts'

export interface UpgradeControllersOptions {
  /** Everything they talk to besides the API. */
  readonly outside: Outside
  readonly random: Random
  /** What the gauges say, for whoever exposes them; one of their own unless told. */
  readonly gauges?: GaugeBoard
  /** Where the operator lives; `openshift-managed-upgrade-operator` unless told. */
  readonly namespace?: string
  /** How many milliseconds a minute has; 60,000 unless a rehearsal is to take less time. */
  readonly minute?: number
  /** Nothing is sent to anybody outside, see `UpgradeParts`. */
  readonly observes?: boolean
}

/** The controllers of managed upgrades: `upgrade-config`, `node-keeper`, `machine-config-pool` and `upgrade-config-manager`. */
export function upgradeControllers(options: UpgradeControllersOptions): readonly AnyController[] {
  const { outside, random, gauges = new GaugeBoard(), namespace = defaultNamespace, minute = 60_000, observes = false } = options
  const parts: UpgradeParts = { outside, gauges, namespace, minute, observes }
  return [upgradeConfig(parts), nodeKeeper(parts), machineConfigPool(parts), upgradeConfigManager(parts, random)]
}
