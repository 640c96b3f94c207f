import type { OperatorConfig } from './read.ts'
import { checkConfig } from './rules.ts'

/** Where UpgradeConfigs come from, and how often to look; or that nobody is to look. */
export type ManagerConfig =
  | { readonly is: 'idle'; readonly why: string }
  | { readonly is: 'active'; readonly source: ConfigSource; readonly watchInterval: number }

export type ConfigSource = 'OCM' | 'LOCAL'

/** The source that is configured; undefined when there is none. Throws a ConfigError for one that nobody knows. */
export function configSource(config: OperatorConfig): ConfigSource | undefined {
  const source = checkConfig(config, 'notifier')['configManager.source']?.toUpperCase()
  return source === 'OCM' || source === 'LOCAL' ? source : undefined
}

/** What the sync loop has to do. A manager that is not configured is no error: the loop looks again a minute later. */
export function managerConfig(config: OperatorConfig): ManagerConfig {
  const source = configSource(checkConfig(config, 'manager'))
  const minutes = config['configManager.watchInterval']
  if (source === undefined) return { is: 'idle', why: 'no configManager defined: configManager.source is absent' }
  if (minutes === undefined || minutes <= 0)
    return { is: 'idle', why: 'no configManager defined: configManager.watchInterval is not above 0' }
  return { is: 'active', source, watchInterval: minutes * config.minute }
}
