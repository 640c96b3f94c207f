import { tableLines } from '../../table.ts'
import { wants } from '../details.ts'
import { roundedDuration } from '../durations.ts'
import { isDoubtful, learnedWords } from '../learned.ts'
import { durationWords } from '../times.ts'
import { versionWords } from '../versions.ts'
import type { ControlPlaneView, DataPlaneView, PartsView } from '../view.ts'
import { labelled, type Layout, percentWords, separated, sinceWords, stateWords } from './layout.ts'

/** The names that the parts of a control plane go by. */
const words = {
  operators: { health: 'Operator Health', updating: 'Updating Cluster Operators' },
  components: { health: 'Component Health', updating: 'Updating Components' },
} as const

/** What the control plane does, and which of its parts. */
export function controlPlaneLines(view: ControlPlaneView, layout: Layout): readonly string[] {
  if (view.isCompleted) return [completedLine(view)]
  const { assessment, versions, completionPercent, parts, learned } = view
  const { updated, waiting, updating } = parts
  const width = words[parts.kind].health.length + 2
  const counts = `${updated} ${parts.kind} updated, ${updating.length} updating, ${waiting} waiting`
  return separated([
    labelled(width, [
      ['Assessment', stateWords(assessment, layout)],
      ['Target Version', versionWords(versions)],
      updating.length === 0 ? undefined : ['Updating', updating.map(({ name }) => name).join(', ')],
      versions.target === undefined ? undefined : ['Completion', `${percentWords(completionPercent, layout)} (${counts})`],
      durationPair(view),
      learned === undefined ? undefined : ['Learned', learnedWords(learned, layout.now)],
      [words[parts.kind].health, healthWords(parts)],
    ]),
    wants(layout.details, 'operators') ? updatingLines(parts, layout) : [],
  ])
}

/** What the operator of a hosted cluster does. Its parts are in that cluster, out of sight. */
export function dataPlaneLines(view: DataPlaneView, layout: Layout): readonly string[] {
  if (view.isCompleted) return [completedLine(view)]
  const { assessment, versions, message } = view
  return labelled(words.components.health.length + 2, [
    ['Assessment', stateWords(assessment, layout)],
    ['Target Version', versionWords(versions)],
    durationPair(view),
    message === '' ? undefined : ['Message', message.replaceAll(/\s*\n\s*/g, ' ')],
  ])
}

/** Nothing where nobody knows when it began. */
function durationPair({
  times,
  versions,
  learned,
}: Pick<ControlPlaneView, 'versions' | 'times' | 'learned'>): readonly [string, string] | undefined {
  if (times.startedAt === undefined) return undefined
  return ['Duration', durationWords(times, { isMigration: versions.isMultiArchitecture, isDoubtful: isDoubtful(learned) })]
}

function completedLine({ versions, times }: Pick<ControlPlaneView, 'versions' | 'times'>): string {
  const duration = times.durationSeconds === undefined ? 'unknown' : roundedDuration(times.durationSeconds * 1000)
  return `Update to ${versions.target ?? 'unknown'} successfully completed at ${times.completedAt ?? 'unknown'} (duration: ${duration})`
}

function healthWords({ healthy, unavailable, degraded, unknown }: PartsView): string {
  return [
    `${healthy} Healthy`,
    ...(unavailable > 0 ? [`${unavailable} Unavailable`] : []),
    ...(degraded > 0 ? [`${degraded} Available but degraded`] : []),
    ...(unknown > 0 ? [`${unknown} Unknown`] : []),
  ].join(', ')
}

const longestReason = 20

function updatingLines({ kind, updating }: PartsView, { now }: Layout): readonly string[] {
  if (updating.length === 0) return []
  const rows = updating.flatMap(({ name, since, reason, message }) => {
    const [first = '', ...rest] = message.split('\n').filter((line) => line.trim() !== '')
    return [[name, sinceWords(since, now), reasonWord(reason), first], ...rest.map((line) => ['', '', '', line])]
  })
  return [words[kind].updating, ...tableLines(['NAME', 'SINCE', 'REASON', 'MESSAGE'], rows)]
}

function reasonWord(reason: string): string {
  if (reason === '') return '-'
  return reason.length > longestReason ? `${reason.slice(0, longestReason - 3)}...` : reason
}
