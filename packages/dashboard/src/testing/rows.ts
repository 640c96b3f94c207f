import type { Attention, ClusterRow, SideView } from '@windlass/fleet/contract'
import { days, minutesAgo } from './time.ts'

/** What a test says about a row; the rest is that of a steady hosted cluster at 4.19.12 with three nodes. */
export interface RowText {
  readonly member?: string
  readonly namespace?: string
  readonly name: string
  readonly kind?: 'Hosted' | 'Classic'
  readonly platform?: string
  readonly attention?: Attention
  readonly summary?: string
  /** `4.19.12` or `4.19.12 > 4.20.3`: what runs, and what is to run. */
  readonly controlPlane?: string
  readonly dataPlane?: string
  readonly nodes?: readonly [ready: number, wanted: number]
  readonly nodeVersion?: string
  readonly progress?: readonly [done: number, total: number]
  readonly estimatedEnd?: string
  readonly skew?: ClusterRow['skew']
  readonly isCurrent?: boolean
}

export function aRow(text: RowText): ClusterRow {
  const { member = 'eu-west', kind = 'Hosted', name, attention = 'Steady', controlPlane = '4.19.12', dataPlane = controlPlane } = text
  const namespace = kind === 'Classic' ? undefined : (text.namespace ?? 'clusters')
  const [ready, wanted] = text.nodes ?? [3, 3]
  const nodeVersion = text.nodeVersion ?? dataPlane.split(' ')[0]?.replace('?', '') ?? ''
  return {
    id: namespace === undefined ? member : `${member}/${namespace}/${name}`,
    member,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    kind,
    platform: text.platform ?? 'AWS',
    createdTime: minutesAgo(120 * days),
    attention,
    ...(text.summary === undefined ? {} : { summary: text.summary }),
    controlPlane: sideOf(controlPlane, attention),
    dataPlane: sideOf(dataPlane, attention),
    nodes: { wanted, ready, versions: wanted === 0 ? [] : [{ version: nodeVersion, count: wanted }] },
    ...(text.progress === undefined ? {} : { progress: { done: text.progress[0], total: text.progress[1] } }),
    ...(text.estimatedEnd === undefined ? {} : { estimatedEnd: text.estimatedEnd }),
    skew: text.skew ?? 'Allowed',
    isCurrent: text.isCurrent ?? true,
  }
}

function sideOf(text: string, attention: Attention): SideView {
  const [version = '', desired = version] = text.split(' > ')
  const known = version === '?' ? {} : { version }
  if (version === desired) {
    const state = attention === 'Unknown' ? 'Unknown' : attention === 'Paused' ? 'Paused' : 'Completed'
    return {
      ...known,
      ...(version === '?' ? {} : { desired }),
      state,
      startedTime: minutesAgo(20 * days),
      completionTime: minutesAgo(20 * days - 38),
      activeVersions: version === '?' ? [] : [version],
    }
  }
  return {
    ...known,
    desired,
    state: attention === 'Stalled' ? 'Stalled' : 'Progressing',
    startedTime: minutesAgo(attention === 'Stalled' ? 72 : 14),
    activeVersions: version === '?' ? [desired] : [desired, version],
  }
}
