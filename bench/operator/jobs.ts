import type { Credentials } from '../../test/support/windlass.ts'
import type { Extent, Measured } from '../load/index.ts'
import type { Strain } from './strain.ts'

/**
 * What a program that keeps up with all NodePools of a server can be asked for. There are two: an operator made with the toolkit, and
 * something bare to hold it against.
 */
export interface FollowerJobs {
  /** Connects, takes in everything and keeps up; resolves when everything has come. */
  follow: (job: Following) => Promise<Strain>
  /** Resolves when so many objects were looked at, since the start or since it was last asked to count. */
  looked: (job: { readonly count: number }) => Promise<Strain>
  /** MB that are used of the heap when all that is not was thrown away, as when memory is short. */
  heap: (job: Nothing) => Promise<number>
  /** Leaves the watch. What happens meanwhile comes in one go with `catchUp`. */
  pause: (job: Nothing) => Promise<Nothing>
  /** Goes on with the watch where it was left; resolves when so many changes were taken in and looked at. */
  catchUp: (job: { readonly count: number }) => Promise<Strain>
  /** Begins to note when it starts to look at each change. */
  listen: (job: Nothing) => Promise<Nothing>
  /** By the number of the status patch, on the clock that all processes share; resolves when so many were looked at. */
  heard: (job: { readonly count: number }) => Promise<readonly (readonly [round: number, at: number])[]>
  /** What `seconds` of whatever happens are like. */
  observe: (job: { readonly seconds: number }) => Promise<Strain & { readonly looks: number }>
  /** GETs of one object, again and again, to the parsed object. */
  get: (job: {
    readonly at: Credentials
    readonly clients: number
    readonly extent: Extent
  }) => Promise<Measured & { readonly cpu: number }>
}

export interface Following {
  readonly at: Credentials
  /** Whether all of an object is kept, or only what controllers of upgrades look at. */
  readonly keeps: 'everything' | 'what is needed'
  /** What a look at an object is: finding that nothing is to be done, or writing its status first. */
  readonly work: 'nothing' | 'status'
}

export type Nothing = Readonly<Record<string, never>>

/** What only an operator can be asked for. */
export interface OperatorJobs extends FollowerJobs {
  /** The way of changes without the network: events that are decoded already, `count` in each of some rounds, to passes. */
  feed: (job: { readonly at: Credentials; readonly objects: number; readonly rounds: number }) => Promise<readonly Strain[]>
}
