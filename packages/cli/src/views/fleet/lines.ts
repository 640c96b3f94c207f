import type { Attention, ClusterRow, FleetView, MemberView, SideView, VersionCount } from '@windlass/fleet'
import { type Instant, parseTime, shortDuration } from '@windlass/core'
import { type Colour, type Paint, plain } from '../colours.ts'
import { type Cell, tableLines } from '../table.ts'
import { worstFirst } from './selection.ts'

export interface FleetLayout {
  readonly now: Instant
  readonly isWide: boolean
  /** Nothing is painted unless told. */
  readonly paint?: Paint
}

/** What `windlass fleet` shows people: figures first, then a row for each cluster, worst first. */
export function fleetLines(view: FleetView, { now, isWide, paint = plain }: FleetLayout): readonly string[] {
  const { members, clusters, figures } = view
  const hasMembers = members.length > 1
  const lost = members.filter(({ state, message }) => state !== 'Synced' || message !== undefined)
  const header = [
    ...(hasMembers ? ['MEMBER'] : []),
    'CLUSTER',
    'STATUS',
    'CONTROL PLANE',
    'DATA PLANE',
    'NODES',
    'FOR',
    ...(isWide ? ['PROGRESS', 'DONE IN', 'SKEW', 'NODE VERSIONS', 'KIND', 'PLATFORM'] : []),
    'MESSAGE',
  ]
  const rows = [
    ...lost.map((member) => memberCells(member, hasMembers, isWide, now)),
    ...clusters.map((row) => rowCells(row, hasMembers, isWide, now)),
  ]
  return [
    figuresLine(view, paint),
    ...(figures.clusters === 0 ? [] : versionLines(view)),
    ...(rows.length === 0 ? [] : ['', ...tableLines(header, rows, paint)]),
  ]
}

function figuresLine({ members, figures }: FleetView, paint: Paint): string {
  const { clusters, attention, nodes, skew } = figures
  const states = worstFirst.filter((state) => attention[state] > 0).map((state) => paint(`${attention[state]} ${state}`, colourOf[state]))
  const skews = (['Violated', 'AtLimit'] as const).filter((verdict) => skew[verdict] > 0)
  const reached = members.filter(({ state }) => state === 'Synced').length
  const where =
    members.length === 1
      ? ''
      : reached === members.length
        ? ` in ${members.length} members`
        : ` known, in ${reached} of ${members.length} members`
  return [
    `${clusters} cluster${clusters === 1 ? '' : 's'}${where}${states.length === 0 ? '' : `: ${states.join(', ')}`}`,
    `${nodes} node${nodes === 1 ? '' : 's'}`,
    ...skews.map((verdict) =>
      verdict === 'Violated'
        ? paint(`${skew.Violated} with nodes that are too old or too new`, 'red')
        : `${skew.AtLimit} with nodes as old as they may be`,
    ),
  ].join('; ')
}

function versionLines({ figures }: FleetView): readonly string[] {
  return [
    `Control planes:  ${versionsText(figures.controlPlaneVersions)}`,
    `Data planes:     ${versionsText(figures.dataPlaneVersions)}`,
    ...(figures.nodeVersions.length === 0 ? [] : [`Nodes:           ${versionsText(figures.nodeVersions)}`]),
  ]
}

function versionsText(versions: readonly VersionCount[]): string {
  return versions.map(({ version, count }) => `${count} at ${version === '' ? 'no known version' : version}`).join(', ')
}

const colourOf: Readonly<Record<Attention, Colour>> = {
  Stalled: 'red',
  Failing: 'red',
  Unknown: 'yellow',
  Upgrading: 'blue',
  Installing: 'blue',
  Deleting: 'yellow',
  Paused: 'yellow',
  Steady: 'green',
}

/** A member of which nothing current is known, or not everything, is a row too: what is missing must be seen. */
function memberCells(member: MemberView, hasMembers: boolean, isWide: boolean, now: Instant): readonly Cell[] {
  const { name, state, since, message = '', clusters, lastSynced } = member
  const known = lastSynced === undefined ? 'nothing is known of it' : `${clusters} cluster${clusters === 1 ? '' : 's'} as of ${lastSynced}`
  return [
    ...(hasMembers ? [name, '*'] : [name]),
    state === 'Synced' ? { text: 'Partly known', colour: 'yellow' } : { text: state, colour: 'red' },
    '?',
    '?',
    '?',
    ageOf(since, now),
    ...(isWide ? ['', '', '', '', '', ''] : []),
    state === 'Synced' ? message : `${known}${message === '' ? '' : `: ${message}`}`,
  ]
}

function rowCells(row: ClusterRow, hasMembers: boolean, isWide: boolean, now: Instant): readonly Cell[] {
  const {
    member,
    attention,
    controlPlane,
    dataPlane,
    nodes,
    progress,
    estimatedEnd,
    skew,
    kind,
    platform = '',
    summary = '',
    isCurrent,
  } = row
  return [
    ...(hasMembers ? [member] : []),
    nameOf(row),
    { text: isCurrent ? attention : `${attention}, as last known`, colour: isCurrent ? colourOf[attention] : 'yellow' },
    sideText(controlPlane),
    sideText(dataPlane),
    nodes.unknownBecause === undefined ? `${nodes.ready}/${nodes.wanted}` : '?',
    sinceText(row, now),
    ...(isWide
      ? [
          progress === undefined ? '' : `${progress.done}/${progress.total}`,
          estimatedEnd === undefined ? '' : untilText(estimatedEnd, now),
          { text: skew, ...(skew === 'Violated' ? { colour: 'red' } : skew === 'AtLimit' ? { colour: 'yellow' } : {}) } satisfies Cell,
          nodes.versions.map(({ version, count }) => `${count}×${version === '' ? '?' : version}`).join(' '),
          kind,
          platform,
        ]
      : []),
    summary,
  ]
}

/** As people name it: `clusters/prod`, or the name of a classic one. */
export function nameOf({ namespace, name }: Pick<ClusterRow, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** `4.20.1`, or where it comes from and where it goes. */
function sideText({ version, desired }: SideView): string {
  if (desired === undefined || desired === version) return version ?? '?'
  return version === undefined ? `-> ${desired}` : `${version} -> ${desired}`
}

/** How long the update goes on that is under way, or since when it rests. */
function sinceText({ attention, controlPlane, dataPlane, createdTime }: ClusterRow, now: Instant): string {
  const running = [controlPlane, dataPlane].find(({ state }) => state !== 'Completed' && state !== 'Unknown')
  if (running?.startedTime !== undefined) return ageOf(running.startedTime, now)
  const ended = dataPlane.completionTime ?? controlPlane.completionTime
  if (attention === 'Steady' && ended !== undefined) return ageOf(ended, now)
  return createdTime === undefined ? '' : ageOf(createdTime, now)
}

export function ageOf(time: string, now: Instant): string {
  const moment = parseTime(time)
  return moment === undefined ? '?' : shortDuration(Math.max(0, now - moment))
}

function untilText(time: string, now: Instant): string {
  const moment = parseTime(time)
  return moment === undefined ? '?' : moment <= now ? 'overdue' : shortDuration(moment - now)
}
