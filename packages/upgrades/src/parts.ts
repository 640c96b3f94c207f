import type { GaugeBoard } from './metrics/index.ts'
import type { Outside } from './outside/types.ts'

/** What the controllers of upgrades share. */
export interface UpgradeParts {
  readonly outside: Outside
  readonly gauges: GaugeBoard
  /** Where the operator lives: its configuration, and the UpgradeConfigs that it makes. */
  readonly namespace: string
  /** How many milliseconds a minute has, see `OperatorConfig`. */
  readonly minute: number
  /** Somebody else looks after upgrades: nothing is sent to anybody, it is only said what would be. */
  readonly observes: boolean
}
