import { seededRandom } from '@windlass/core'
import type { Attention, ClusterRow } from '@windlass/fleet/contract'
import { aRow } from './rows.ts'
import { minutesAgo } from './time.ts'

const versions = [
  '4.17.30',
  '4.18.19',
  '4.18.30',
  '4.19.12',
  '4.19.14',
  '4.19.19',
  '4.20.3',
  '4.20.6',
  '4.20.8',
  '4.20.10',
  '4.21.1',
  '4.21.3',
] as const
const places = ['eu-west', 'eu-north', 'us-east', 'us-west', 'ap-south'] as const
const kinds = ['prod', 'stage', 'dev', 'edge', 'batch'] as const
/** Most clusters are steady, as in any fleet that somebody could bear to run. */
const states: readonly (readonly [number, Attention])[] = [
  [0.004, 'Stalled'],
  [0.007, 'Failing'],
  [0.01, 'Unknown'],
  [0.06, 'Upgrading'],
  [0.065, 'Installing'],
  [0.067, 'Deleting'],
  [0.08, 'Paused'],
  [1, 'Steady'],
]

/** A fleet of any size, the same for the same size. */
export function manyRows(count: number): readonly ClusterRow[] {
  const random = seededRandom(count)
  const pick = <T>(from: readonly [T, ...T[]] | readonly T[]): T => from[random.below(from.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const chance = random.next()
    const attention = states.find(([limit]) => chance < limit)?.[1] ?? 'Steady'
    const member = pick(places)
    const version = versions[Math.min(versions.length - 1, Math.floor(random.next() ** 0.6 * versions.length))] ?? '4.20.8'
    const isMoving = attention === 'Upgrading' || attention === 'Stalled'
    const wanted = 3 + random.below(40)
    return aRow({
      member,
      name: `${pick(kinds)}-${member.slice(0, 2)}-${String(index).padStart(5, '0')}`,
      namespace: `tenant-${random.below(400)}`,
      platform: pick(['AWS', 'Azure', 'KubeVirt', 'Agent']),
      attention,
      controlPlane: isMoving ? `${version} > 4.21.3` : version,
      dataPlane: version,
      nodes: [attention === 'Failing' ? wanted - 1 : wanted, wanted],
      ...(isMoving ? { progress: [random.below(37), 37] as const, summary: 'kube-apiserver rolls out' } : {}),
      ...(attention === 'Stalled' ? { summary: 'The upgrade to 4.21.3 waits for kube-apiserver: its image cannot be pulled' } : {}),
      ...(attention === 'Failing' ? { summary: 'A node is not ready' } : {}),
      ...(attention === 'Upgrading' ? { estimatedEnd: minutesAgo(-random.below(60)) } : {}),
      skew: version.startsWith('4.17') ? 'AtLimit' : 'Allowed',
    })
  })
}
