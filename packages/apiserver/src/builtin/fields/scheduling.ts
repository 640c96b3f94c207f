import { always, int32, int64, list, pointer, string, struct } from '../dsl/index.ts'
import { labelSelector } from './meta.ts'
import { nodeSelector, nodeSelectorTerm } from './references.ts'

/** Where a Pod may run: affinity, tolerations, spreading. */

export const preferredSchedulingTerm = struct({
  weight: always(int32),
  preference: nodeSelectorTerm,
})

export const nodeAffinity = struct({
  requiredDuringSchedulingIgnoredDuringExecution: pointer(nodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: list(preferredSchedulingTerm),
})

export const podAffinityTerm = struct({
  labelSelector: pointer(labelSelector),
  namespaces: list(string),
  topologyKey: always(string),
  namespaceSelector: pointer(labelSelector),
  matchLabelKeys: list(string),
  mismatchLabelKeys: list(string),
})

export const weightedPodAffinityTerm = struct({
  weight: always(int32),
  podAffinityTerm: podAffinityTerm,
})

export const podAffinity = struct({
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm),
})

export const podAntiAffinity = struct({
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm),
})

export const affinity = struct({
  nodeAffinity: pointer(nodeAffinity),
  podAffinity: pointer(podAffinity),
  podAntiAffinity: pointer(podAntiAffinity),
})

export const toleration = struct({
  key: string,
  operator: string,
  value: string,
  effect: string,
  tolerationSeconds: pointer(int64),
})

export const topologySpreadConstraint = struct({
  maxSkew: always(int32),
  topologyKey: always(string),
  whenUnsatisfiable: always(string),
  labelSelector: pointer(labelSelector),
  minDomains: pointer(int32),
  nodeAffinityPolicy: pointer(string),
  nodeTaintsPolicy: pointer(string),
  matchLabelKeys: list(string),
})
