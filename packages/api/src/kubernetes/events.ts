import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'

export interface EventReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly resourceVersion?: string
}

/** Something that happened to an object, for people. Times have microseconds. */
export interface Event {
  readonly apiVersion: 'events.k8s.io/v1'
  readonly kind: 'Event'
  readonly metadata: ObjectMeta
  readonly eventTime: string
  readonly series?: { readonly count: number; readonly lastObservedTime: string }
  readonly reportingController: string
  readonly reportingInstance: string
  readonly action: string
  readonly reason: string
  readonly regarding: EventReference
  readonly related?: EventReference
  readonly note: string
  readonly type: 'Normal' | 'Warning'
  readonly status?: never
}

export const Event = builtin<Event>({ apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events' })
