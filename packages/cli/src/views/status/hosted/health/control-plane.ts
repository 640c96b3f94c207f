import { findCondition, type RolloutState } from '@windlass/core'
import type { HealthView } from '../../view.ts'
import { blockersOf } from '../control-plane.ts'
import type { HostedObjects } from '../objects.ts'
import { about, byCondition, denied } from './observed.ts'

/** What is wrong with the update of the management side as a whole. */
export function controlPlaneHealth(objects: HostedObjects, state: RolloutState): readonly HealthView[] {
  return [
    ...unknown(objects, state),
    ...stalled(objects, state),
    ...paused(objects, state),
    ...blocked(objects, state),
    ...neverCompleted(objects),
  ]
}

function unknown({ cluster }: HostedObjects, state: RolloutState): readonly HealthView[] {
  if (state !== 'Unknown') return []
  const description =
    'HostedCluster has no history in status.controlPlaneVersion. It comes with the first pass of its operator; for one that is older than that field, ' +
    'run windlass operator --controllers control-plane-version.'
  return [
    {
      ...about('hostedclusters', cluster),
      name: 'control-plane-unknown',
      level: 'Warning',
      impact: 'Unknown',
      summary: 'Nothing reports which version the control plane runs',
      description,
    },
  ]
}

function stalled(objects: HostedObjects, state: RolloutState): readonly HealthView[] {
  const newest = objects.cluster.status?.controlPlaneVersion?.history?.[0]
  if (state !== 'Stalled' || newest === undefined) return []
  return [
    {
      ...about('hostedclusters', objects.cluster),
      name: 'control-plane-stalled',
      since: newest.startedTime,
      level: 'Error',
      impact: 'Update Stalled',
      summary: `Update of the control plane to ${newest.version} is stalled`,
      description: waitingWords(objects),
    },
  ]
}

/** Where to look first: those that wait for no other component. */
function waitingWords(objects: HostedObjects): string {
  const blockers = blockersOf(objects)
  const roots = blockers.filter(({ isRoot }) => isRoot)
  const lines = (roots.length === 0 ? blockers : roots).map(({ name, cause, reason, message }) => {
    const why = [reason, message].filter((text) => text !== '').join(': ')
    return why === '' ? `${name}: ${cause}` : `${name}: ${cause} (${why})`
  })
  return lines.length === 0 ? 'No component is known to be behind.' : ['It waits for:', ...lines].join('\n')
}

function paused({ cluster }: HostedObjects, state: RolloutState): readonly HealthView[] {
  const active = denied(cluster.status?.conditions, 'ReconciliationActive')
  if (state !== 'Paused' || active === undefined) return []
  return [
    {
      ...about('hostedclusters', cluster),
      ...byCondition(active),
      name: 'control-plane-paused',
      level: 'Warning',
      impact: 'Update Stalled',
      summary: 'The cluster is paused: its update does not go on',
    },
  ]
}

/** A release that was asked for is refused. A pause does the same, and is told as such. */
function blocked({ cluster }: HostedObjects, state: RolloutState): readonly HealthView[] {
  const progressing = findCondition(cluster.status?.conditions, 'Progressing')
  if (progressing?.reason !== 'Blocked' || state === 'Paused') return []
  return [
    {
      ...about('hostedclusters', cluster),
      ...byCondition(progressing),
      name: 'control-plane-blocked',
      level: 'Error',
      impact: 'Update Stalled',
      summary: 'Requested release is not accepted (Blocked)',
    },
  ]
}

function neverCompleted({ cluster }: HostedObjects): readonly HealthView[] {
  const [newest, previous, ...older] = cluster.status?.controlPlaneVersion?.history ?? []
  if (newest?.state !== 'Partial' || previous?.state !== 'Partial') return []
  const complete = older.find(({ state }) => state === 'Completed')?.version ?? 'unknown'
  return [
    {
      ...about('hostedclusters', cluster),
      name: 'control-plane-partial',
      since: newest.startedTime,
      level: 'Warning',
      impact: 'None',
      summary: `Previous update to ${previous.version} never completed, last complete update was ${complete}`,
      description: `Components that the update to ${previous.version} did not reach go to ${newest.version} from an older version.`,
    },
  ]
}
