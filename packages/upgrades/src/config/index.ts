/**
 * The operator's configuration, which is one YAML document in one ConfigMap.
 *
 * - `keys.ts`: every key with its type and its default. `rules.ts`: when a value is wrong, and for whom.
 * - `read.ts`: from a ConfigMap to values. They are read anew for each pass, so an edit needs no restart.
 * - `manager.ts`: what the sync loop takes from it. `gates.ts`: the feature gates.
 * - `glob.ts`, `patterns.ts`: the two kinds of patterns in it.
 */
export { ConfigError, configMapKey, configMapName } from './errors.ts'
export { type FeatureGate, featureGates, isEnabled } from './gates.ts'
export { matchesAnyGlob } from './glob.ts'
export { type ConfigKey, type ConfigValues, keys } from './keys.ts'
export { type ConfigSource, configSource, type ManagerConfig, managerConfig } from './manager.ts'
export { compilePattern, type Pattern } from './patterns.ts'
export { type ConfigMapData, defaultConfig, type OperatorConfig, readConfig } from './read.ts'
export { checkConfig, type ConfigUser, scaleProblem } from './rules.ts'
