import type { ConfigValues } from './keys.ts'

/** What is off unless the configuration lists it. */
export const featureGates = ['PreHealthCheck', 'ServiceLogNotification'] as const

export type FeatureGate = (typeof featureGates)[number]

/** Names are compared to the letter; names that nobody knows do nothing. */
export function isEnabled(config: ConfigValues, gate: FeatureGate): boolean {
  return config['featureGate.enabled'].includes(gate)
}
