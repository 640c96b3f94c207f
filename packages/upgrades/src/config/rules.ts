import { ConfigError } from './errors.ts'
import { globToRegExp } from './glob.ts'
import type { ConfigKey, ConfigValues } from './keys.ts'
import { compilePattern } from './patterns.ts'

/** Who needs the configuration. A value that is wrong for one must not stop another that never looks at it. */
export type ConfigUser = 'upgrader' | 'node keeper' | 'manager' | 'notifier'

interface Rule {
  readonly key: ConfigKey
  readonly users: readonly ConfigUser[]
  /** What is wrong with the value; undefined when nothing is. */
  readonly problem: (config: ConfigValues) => string | undefined
}

/** The only UpgradeConfig that is acted on, and hence the only one that the provider LOCAL may name. */
const localName = 'managed-upgrade-config'

const rules: readonly Rule[] = [
  {
    key: 'upgradeType',
    users: ['manager'],
    problem: (config) => oneOf(['', 'OSD', 'ARO'], config.upgradeType, 'OSD, ARO or nothing'),
  },
  {
    key: 'configManager.source',
    users: ['manager', 'notifier'],
    problem: (config) => oneOf([undefined, 'OCM', 'LOCAL'], config['configManager.source']?.toUpperCase(), 'OCM or LOCAL'),
  },
  {
    key: 'configManager.ocmBaseUrl',
    users: ['manager', 'notifier'],
    problem: ({ 'configManager.ocmBaseUrl': url }) =>
      url === '' || URL.canParse(url) ? undefined : `OCM Base URL is not a parseable URL: ${JSON.stringify(url)}`,
  },
  {
    key: 'configManager.localConfigName',
    users: ['manager'],
    problem: ({ 'configManager.source': source, 'configManager.localConfigName': name }) =>
      source?.toUpperCase() === 'LOCAL' && name !== localName
        ? `the source LOCAL needs the name ${localName}, got ${JSON.stringify(name ?? null)}`
        : undefined,
  },
  {
    key: 'maintenance.controlPlaneTime',
    users: ['upgrader'],
    problem: atLeast('maintenance.controlPlaneTime', 1, 'maintenance controlPlaneTime'),
  },
  { key: 'scale.timeOut', users: ['upgrader'], problem: atLeast('scale.timeOut', 1, 'scale timeOut') },
  {
    key: 'scale.extraMachinePools',
    users: ['upgrader'],
    problem: (config) => firstBad(config['scale.extraMachinePools'], globToRegExp, 'extraMachinePools has a malformed pattern'),
  },
  { key: 'upgradeWindow.timeOut', users: ['upgrader'], problem: atLeast('upgradeWindow.timeOut', 0, 'upgrade window time out') },
  {
    key: 'upgradeWindow.delayTrigger',
    users: ['upgrader'],
    problem: atLeast('upgradeWindow.delayTrigger', 0, 'upgrade window delay trigger'),
  },
  { key: 'nodeDrain.timeOut', users: ['upgrader'], problem: atLeast('nodeDrain.timeOut', 1, 'nodeDrain timeOut') },
  { key: 'nodeDrain.timeOut', users: ['node keeper'], problem: atLeast('nodeDrain.timeOut', 0, 'nodeDrain timeOut') },
  {
    key: 'nodeDrain.expectedNodeDrainTime',
    users: ['upgrader', 'node keeper'],
    problem: atLeast('nodeDrain.expectedNodeDrainTime', 1, 'nodeDrain expectedNodeDrainTime'),
  },
  {
    key: 'nodeDrain.ignoredNamespacePatterns',
    users: ['upgrader', 'node keeper'],
    problem: (config) => firstBad(config['nodeDrain.ignoredNamespacePatterns'], compilePattern, 'not a regular expression'),
  },
  {
    key: 'extDependencyAvailabilityChecks.http.timeout',
    users: ['upgrader'],
    problem: ({ 'extDependencyAvailabilityChecks.http.timeout': seconds, 'extDependencyAvailabilityChecks.http.urls': urls }) =>
      seconds > 60 || (seconds <= 0 && urls.length > 0) ? `HTTP timeout is invalid: ${seconds} seconds; expected 1 to 60` : undefined,
  },
]

/** Throws a ConfigError for the first value that is wrong for this user. */
export function checkConfig<C extends ConfigValues>(config: C, user: ConfigUser): C {
  for (const rule of rules) {
    if (!rule.users.includes(user)) continue
    const problem = rule.problem(config)
    if (problem !== undefined) throw new ConfigError(rule.key, problem)
  }
  return config
}

/** What is wrong with how scaling is configured; undefined when nothing is. The steps that scale ask, others do not care. */
export function scaleProblem(config: ConfigValues): string | undefined {
  const broken = rules.find(({ key, problem }) => key.startsWith('scale.') && problem(config) !== undefined)
  return broken === undefined ? undefined : new ConfigError(broken.key, broken.problem(config) ?? '').message
}

function oneOf(allowed: readonly (string | undefined)[], value: string | undefined, expected: string): string | undefined {
  return allowed.includes(value) ? undefined : `invalid configManager spec provider type ${JSON.stringify(value)}; expected ${expected}`
}

type NumberKey = { [K in ConfigKey]: ConfigValues[K] extends number ? K : never }[ConfigKey]

function atLeast(key: NumberKey, least: number, name: string): Rule['problem'] {
  return ({ [key]: minutes }) => (minutes < least ? `${name} is ${minutes} minutes; expected at least ${least}` : undefined)
}

function firstBad(patterns: readonly string[], compile: (pattern: string) => unknown, problem: string): string | undefined {
  const bad = patterns.find((pattern) => compile(pattern) === undefined)
  return bad === undefined ? undefined : `${problem}: ${JSON.stringify(bad)}`
}
