import type { KubernetesObject } from '@windlass/api'

/** Something that people should know about an object. */
export interface Occurrence {
  readonly regarding: KubernetesObject
  readonly related?: KubernetesObject
  readonly type: 'Normal' | 'Warning'
  /** One word in CamelCase: why it happened. */
  readonly reason: string
  /** One word in CamelCase: what was done; the controller's name unless told. */
  readonly action?: string
  /** For people. */
  readonly note: string
}

/** Never throws and never makes anybody wait: events are sent in the background, and dropped rather than piled up. */
export interface EventRecorder {
  record(occurrence: Occurrence): void
}
