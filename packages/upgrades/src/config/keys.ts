/** One key of the configuration: what it holds, and what stands in for it when it is absent. */
export interface Key<T> {
  /** What is expected, in words that finish "expected …". */
  readonly expected: string
  readonly whenAbsent: T
  readonly isValid: (value: unknown) => boolean
}

/**
 * Every key of `config.yaml`, in the order of the specification. Lengths of time are whole minutes, but for the timeout of the HTTP checks, which is in
 * seconds. When a value is wrong is said in `rules.ts`.
 */
export const keys = {
  upgradeType: text(''),
  'configManager.source': optional(text('')),
  'configManager.ocmBaseUrl': text(''),
  'configManager.localConfigName': optional(text('')),
  'configManager.watchInterval': optional(wholeNumber(0)),
  'validation.cincinnati': flag(false),
  'environment.fedramp': flag(false),
  'maintenance.controlPlaneTime': wholeNumber(90),
  'maintenance.ignoredAlerts.controlPlaneCriticals': texts(),
  'scale.timeOut': wholeNumber(30),
  'scale.extraMachinePools': texts(),
  'upgradeWindow.timeOut': wholeNumber(120),
  'upgradeWindow.delayTrigger': wholeNumber(30),
  'nodeDrain.timeOut': wholeNumber(45),
  'nodeDrain.expectedNodeDrainTime': wholeNumber(8),
  'nodeDrain.disableDrainStrategies': flag(false),
  'nodeDrain.ignoredNamespacePatterns': texts(),
  'healthCheck.ignoredCriticals': texts(),
  'healthCheck.ignoredNamespaces': texts(),
  'extDependencyAvailabilityChecks.http.timeout': wholeNumber(15),
  'extDependencyAvailabilityChecks.http.urls': texts(),
  'featureGate.enabled': texts(),
} as const

export type ConfigKey = keyof typeof keys

/** The value of every key: `values['scale.timeOut']`. */
export type ConfigValues = { readonly [K in ConfigKey]: (typeof keys)[K] extends Key<infer T> ? T : never }

function text(whenAbsent: string): Key<string> {
  return { expected: 'a text', whenAbsent, isValid: (value) => typeof value === 'string' }
}

function wholeNumber(whenAbsent: number): Key<number> {
  return { expected: 'a whole number, without quotes', whenAbsent, isValid: Number.isSafeInteger }
}

function flag(whenAbsent: boolean): Key<boolean> {
  return { expected: 'true or false', whenAbsent, isValid: (value) => typeof value === 'boolean' }
}

function texts(): Key<readonly string[]> {
  return {
    expected: 'a list of texts',
    whenAbsent: [],
    isValid: (value) => Array.isArray(value) && value.every((element) => typeof element === 'string'),
  }
}

/** A key that may be absent without anything standing in for it. */
function optional<T>(key: Key<T>): Key<T | undefined> {
  return { ...key, whenAbsent: undefined }
}
