/**
 * What is special about a cluster of the sample fleet.
 *
 * - `upgrading`: once it is installed it goes to another minor, slowly, so that there is time to look.
 * - `stalled`: the same, but the image of its new API server cannot be pulled.
 * - `no-node-pools`: a control plane that nobody has joined yet.
 * - `old-pool`: one of its pools is as old as it may be.
 * - `blocked-pool`: its nodes are upgraded once they are there, and a disruption budget in the guest keeps them from being drained.
 */
export type SampleRole = 'steady' | 'upgrading' | 'stalled' | 'no-node-pools' | 'old-pool' | 'blocked-pool'

/** A cluster of the sample fleet, in the words of whoever asked for it. */
export interface SampleCluster {
  readonly name: string
  readonly role: SampleRole
  /** What it is installed with. */
  readonly version: string
  /** What it is to be upgraded to when it is installed. */
  readonly next?: string
  /** How many pools it has, all alike; as its role says unless told. */
  readonly pools?: number
  /** How many nodes each of its pools has; 3 in production and 2 elsewhere unless told. */
  readonly nodes?: number
}

/** What somebody wants of the nodes of all clusters. */
export interface NodeWishes {
  readonly pools?: number
  readonly nodes?: number
}

/** Nodes of a cluster of the sample fleet. */
export interface SamplePool {
  /** Behind the name of its cluster. */
  readonly suffix: string
  /** What it is made with. */
  readonly version: string
  /** What it is to be upgraded to when its nodes are there; something that may not be disturbed is put on them before. */
  readonly next?: string
}

const first: readonly SampleCluster[] = [
  { name: 'prod-eu-1', role: 'steady', version: '4.19.12' },
  { name: 'prod-eu-2', role: 'upgrading', version: '4.19.14', next: '4.20.8' },
  { name: 'prod-us-1', role: 'old-pool', version: '4.20.6' },
  { name: 'prod-us-2', role: 'stalled', version: '4.19.14', next: '4.20.8' },
  { name: 'prod-ap-1', role: 'blocked-pool', version: '4.18.19' },
  { name: 'stage-eu-1', role: 'steady', version: '4.20.10' },
  { name: 'stage-us-1', role: 'steady', version: '4.21.1' },
  { name: 'dev-eu-1', role: 'no-node-pools', version: '4.21.3' },
]

const sites = ['prod-eu', 'prod-us', 'prod-ap', 'stage-eu', 'stage-us', 'dev-eu']
const versions = ['4.18.18', '4.19.12', '4.19.15', '4.20.6', '4.20.10', '4.21.1']

export const usualSize = first.length

/** What is special about these is their nodes. */
const poolRoles: readonly SampleRole[] = ['no-node-pools', 'old-pool', 'blocked-pool']

/**
 * So many clusters: the first eight are always the same, those that follow have nothing special. Where somebody wants a certain number of pools, there is
 * nothing special about the nodes of any.
 */
export function sampleFleet(size: number, { pools, nodes }: NodeWishes = {}): readonly SampleCluster[] {
  return Array.from({ length: size }, (_, index) => {
    const sample = { ...(first[index] ?? further(index - first.length)), ...(nodes === undefined ? {} : { nodes }) }
    return pools === undefined ? sample : { ...sample, pools, role: poolRoles.includes(sample.role) ? 'steady' : sample.role }
  })
}

function further(index: number): SampleCluster {
  const site = sites[index % sites.length] ?? ''
  // Numbers go on behind those of the first eight.
  const number = 3 + Math.floor(index / sites.length)
  // The versions of a site differ from round to round.
  const version = versions[(index + Math.floor(index / sites.length)) % versions.length] ?? ''
  return { name: `${site}-${number}`, role: 'steady', version }
}

/** Its nodes; nothing for one that has none. */
export function samplePools({ role, version, pools }: SampleCluster): readonly SamplePool[] {
  const workers = { suffix: 'workers', version }
  if (pools !== undefined)
    return Array.from({ length: pools }, (_, index) => (index === 0 ? workers : { suffix: `workers-${index + 1}`, version }))
  if (role === 'no-node-pools') return []
  if (role === 'old-pool') return [workers, { suffix: 'batch', version: '4.18.19' }]
  return role === 'blocked-pool' ? [{ ...workers, version: '4.18.18', next: version }] : [workers]
}
