/** A real kube-apiserver with etcd on two cores, 3,000 objects of 2.4 KB, 32 connections: orientation, not a measurement of this run. */
export const orientation = {
  objects: 3000,
  creates: 240,
  statusPatches: 300,
  gets: 1280,
  /** Milliseconds for 3,000 objects, 7.3 MB. */
  list: 242,
  /** Resident, MB. */
  memory: 680,
  /** Milliseconds from the start of the process. */
  ready: 4000,
} as const

/** What this server is to reach on two cores that it shares with whoever puts the load on it. */
export const goals = {
  /** With the answer after the flush, sixteen clients. */
  writes: 5000,
  /** Of those, the slowest in a hundred, milliseconds. */
  writesSlow: 10,
  writeAlone: 2,
  statusPatches: 5 * orientation.statusPatches,
  gets: 15_000,
  /** Of those, the slowest in a hundred, milliseconds. */
  getsSlow: 5,
  list3000: orientation.list / 4,
  list10000: 150,
  listByName: 2,
  /** MB that a list of everything may add. */
  listMemory: 100,
  deliveries: 100_000,
  /** From the commit to the watcher, the slowest in a hundred, milliseconds. */
  watchSlow: 20,
  /** MB at rest, beside the pages of the database: with as many objects as the orientation, and with as many as there may be. */
  memory: orientation.memory / 4,
  memoryLarge: 1500,
  ready: 500,
  readyLarge: 3000,
  /** How much more an operation may cost among 100,000 objects than among 3,000. */
  growth: 1.5,
  /** KB at rest. */
  cluster: 20,
  /** Milliseconds until 10,000 dependents of one owner are gone. */
  collection: 10_000,
  /**
   * Microseconds to find out what `controlPlaneVersion` should say, by the length of its history. What a Go function of the same kind took on such a machine
   * (0.54, 1.4 and 4.9): within one and a half times of it for short histories, ahead for long ones.
   */
  decision: [
    [3, 0.81],
    [20, 1.4],
    [100, 4.9],
  ],
  /** Of the toolkit: events that become passes, on one core. */
  events: 20_000,
  /** Milliseconds from the start of an operator until it has 400,000 objects in its cache. */
  cacheFilled: 15_000,
  /** MB of an operator with 100,000 NodePools in its cache. */
  cacheMemory: 250,
  /** How much more of the heap an object may take among 100,000 than among 10,000. */
  cacheGrowth: 1.1,
  /** Milliseconds for which the event loop may stand still. */
  stall: 100,
  /** Milliseconds from a write to the pass that it causes: half are to be faster. */
  reaction: 10,
  /** Of `windlass up`: milliseconds of CPU for each cluster that is installed, and for each that is upgraded. */
  fleetCpu: 1100,
  /** Per cent of a core that a fleet may take at rest, whatever its size. */
  fleetRest: 10,
  /** How much more a cluster may cost in the largest fleet than in the smallest. */
  fleetGrowth: 1.15,
  /** Of the live model of 10,000 clusters: MB of its process, microseconds from an event to the row of its cluster, milliseconds for the first view as JSON. */
  fleetMemory: 1500,
  fleetEvent: 1000,
  firstView: 500,
  /** Milliseconds for a scrape of 10,000 hosted clusters, components and all, and of 30,000 node pools. */
  scrape: 1000,
  /** Of the web page of 10,000 clusters: milliseconds to the first rows, from an event to the screen, of the longest task in a scroll; KB of the first load. */
  pageFirstView: 1500,
  pageUpdate: 300,
  pageTask: 100,
  pageBytes: 200,
  /** Of insights: the part of an update's duration that the learned estimate may be off by, and of looks at which the end may be outside of its range, in per cent. */
  estimateError: 10,
  estimateMisses: 10,
  /** Microseconds for a pass over one object of a cluster of 5,000 nodes. */
  insightPass: 500,
} as const
