import type { HostedCluster } from '@windlass/api'
import { activeVersions, digestOf, type Instant, parseTime, type RolloutState, rolloutState, type RolloutUpdate } from '@windlass/core'

/** The updates of a hosted cluster on both of its sides: the components on the management cluster, and the cluster version operator of the guest. */
export interface HistoryView {
  /** Where several are asked. */
  readonly member?: string
  readonly namespace: string
  readonly name: string
  /** Absent while nobody reports it. */
  readonly controlPlane?: SideView
  readonly dataPlane?: SideView
}

export interface SideView {
  readonly state: RolloutState
  /** Where it is, or is going. */
  readonly target: string
  /** Since when it has been going there; if it is there, since when that is. */
  readonly since?: string
  /** Versions that may run there, newest update first; absent when that cannot be told. */
  readonly active?: readonly string[]
  /** Newest first. */
  readonly history: readonly UpdateView[]
}

export interface UpdateView {
  /** Absent while it is not known. */
  readonly version?: string
  readonly state: string
  /** What became of it: another update came before the end of a superseded one. */
  readonly outcome: 'completed' | 'running' | 'superseded'
  readonly startedTime: string
  readonly completionTime?: string
  /** How long it took, or has taken until now. */
  readonly durationSeconds?: number
  readonly image: string
  /** Absent for an image that is known by a tag only. */
  readonly digest?: string
}

/** What others may have written: null for nothing. */
interface Update extends RolloutUpdate {
  readonly image: string
  readonly completionTime?: string | null
}

export function historyOf({ metadata: { namespace = '', name = '' }, status }: HostedCluster, now: Instant): HistoryView {
  const { controlPlaneVersion, version } = status ?? {}
  const guest = version?.history ?? []
  const managed = controlPlaneVersion?.history ?? []
  return {
    namespace,
    name,
    ...(managed.length === 0 ? {} : { controlPlane: sideOf(managed, rolloutState(status, now), now, guest) }),
    ...(guest.length === 0 ? {} : { dataPlane: sideOf(guest, guestState(guest), now) }),
  }
}

/** Nobody pauses the guest's operator, and how long it may take depends on its nodes: it is there or on its way. */
function guestState([newest]: readonly RolloutUpdate[]): RolloutState {
  return newest?.state === 'Completed' ? 'Completed' : 'Progressing'
}

function sideOf(history: readonly Update[], state: RolloutState, now: Instant, guest: readonly Update[] = []): SideView {
  const [newest] = history
  const since = state === 'Completed' ? newest?.completionTime : newest?.startedTime
  const active = activeVersions(history, guest)?.map(({ text }) => text)
  return {
    state,
    target: newest?.version ?? '',
    ...(since === undefined || since === null ? {} : { since }),
    ...(active === undefined ? {} : { active }),
    history: history.map((update, index) => updateOf(update, index === 0, now)),
  }
}

function updateOf({ version = '', state, startedTime, completionTime, image }: Update, isNewest: boolean, now: Instant): UpdateView {
  const started = parseTime(startedTime)
  const ended = parseTime(completionTime)
  const isRunning = isNewest && state !== 'Completed'
  const end = ended ?? (isRunning ? now : undefined)
  const digest = digestOf(image)
  return {
    ...(version === '' ? {} : { version }),
    state,
    outcome: state === 'Completed' ? 'completed' : isRunning ? 'running' : 'superseded',
    startedTime,
    ...(ended === undefined || completionTime === undefined || completionTime === null ? {} : { completionTime }),
    ...(started === undefined || end === undefined ? {} : { durationSeconds: Math.max(0, Math.floor((end - started) / 1000)) }),
    image,
    ...(digest === undefined ? {} : { digest }),
  }
}
