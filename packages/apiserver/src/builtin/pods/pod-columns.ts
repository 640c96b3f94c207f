import { type Instant, parseTime, shortDuration } from '@windlass/core'
import type { JsonObject } from '../../json.ts'
import type { ComputedColumn } from '../../registry/resource.ts'
import { ageColumn, column, orNone, wide } from '../columns.ts'
import { conditionIsTrue } from '../checks.ts'
import { isAbsent, itemsIn, metadataOf, numberIn, objectIn, objectsIn, specOf, statusOf, textIn } from '../tree.ts'

/** What `kubectl get pods` shows: one word for the state of a Pod, made from the states of its containers. */
export const podColumns: readonly ComputedColumn[] = [
  column('Ready', 'How many of its containers are ready.', (pod) => {
    const { ready, total } = summary(pod)
    return `${ready}/${total}`
  }),
  column('Status', 'What the Pod is doing.', (pod) => summary(pod).reason),
  column('Restarts', 'How often its containers were restarted, and when last.', restarts),
  ageColumn,
  wide('IP', 'Address of the Pod.', (pod) => orNone(textIn(objectIn(itemsIn(statusOf(pod).podIPs)[0]).ip))),
  wide('Node', 'The node it runs on.', (pod) => orNone(textIn(specOf(pod).nodeName))),
  wide('Nominated Node', 'The node it waits for.', (pod) => orNone(textIn(statusOf(pod).nominatedNodeName))),
  wide('Readiness Gates', 'How many of its extra conditions hold.', readinessGates),
]

interface Summary {
  readonly reason: string
  readonly ready: number
  readonly total: number
  readonly restarts: number
  /** When a container ended last; empty if none did. */
  readonly lastRestart: string
}

function summary(pod: JsonObject): Summary {
  const [spec, status] = [specOf(pod), statusOf(pod)]
  const sidecars = new Set(
    objectsIn(spec.initContainers).flatMap(({ name, restartPolicy }) => (restartPolicy === 'Always' ? [textIn(name)] : [])),
  )
  const total = objectsIn(spec.containers).length + sidecars.size
  const starting = initPhase(pod, sidecars)
  const isGated = objectsIn(status.conditions).some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated')
  const phase = isGated ? 'SchedulingGated' : textIn(status.reason) || textIn(status.phase)
  const isInitializing = starting.reason !== undefined && !conditionIsTrue(status.conditions, 'Initialized')
  const init = objectsIn(status.initContainerStatuses)
  const counted = isInitializing ? init : [...init.filter(({ name }) => sidecars.has(textIn(name))), ...objectsIn(status.containerStatuses)]
  const running = isInitializing ? undefined : runningPhase(pod, starting.reason ?? phase)
  return {
    reason: ending(pod) ?? running?.reason ?? starting.reason ?? phase,
    ready: starting.ready + (running?.ready ?? 0),
    total,
    restarts: counted.reduce((sum, { restartCount }) => sum + numberIn(restartCount), 0),
    lastRestart: counted
      .map(({ lastState }) => textIn(objectIn(objectIn(lastState).terminated).finishedAt))
      .reduce((a, b) => (a > b ? a : b), ''),
  }
}

/** How far the containers got that run before the others; no reason when they are done. */
function initPhase(pod: JsonObject, sidecars: ReadonlySet<string>): { readonly reason: string | undefined; readonly ready: number } {
  const statuses = objectsIn(statusOf(pod).initContainerStatuses)
  let ready = 0
  for (const [index, container] of statuses.entries()) {
    const { terminated, waiting } = objectIn(container.state)
    if (!isAbsent(terminated) && numberIn(objectIn(terminated).exitCode) === 0) continue
    if (sidecars.has(textIn(container.name)) && container.started === true) {
      if (container.ready === true) ready++
      continue
    }
    if (!isAbsent(terminated)) return { reason: `Init:${endReason(objectIn(terminated))}`, ready }
    const why = textIn(objectIn(waiting).reason)
    if (why !== '' && why !== 'PodInitializing') return { reason: `Init:${why}`, ready }
    return { reason: `Init:${index}/${objectsIn(specOf(pod).initContainers).length}`, ready }
  }
  return { reason: undefined, ready }
}

/** The first container with something to say wins. */
function runningPhase(pod: JsonObject, phase: string): { readonly reason: string; readonly ready: number } {
  let reason = phase
  let ready = 0
  for (const container of objectsIn(statusOf(pod).containerStatuses).toReversed()) {
    const { terminated, waiting, running } = objectIn(container.state)
    const why = textIn(objectIn(waiting).reason)
    if (why !== '') reason = why
    else if (!isAbsent(terminated)) reason = endReason(objectIn(terminated))
    else if (container.ready === true && !isAbsent(running)) ready++
  }
  if (reason === 'Completed' && ready > 0) reason = conditionIsTrue(statusOf(pod).conditions, 'Ready') ? 'Running' : 'NotReady'
  return { reason, ready }
}

function endReason({ reason, signal, exitCode }: JsonObject): string {
  if (textIn(reason) !== '') return textIn(reason)
  return numberIn(signal) === 0 ? `ExitCode:${numberIn(exitCode)}` : `Signal:${numberIn(signal)}`
}

function ending(pod: JsonObject): string | undefined {
  if (isAbsent(metadataOf(pod).deletionTimestamp)) return undefined
  const { reason, phase } = statusOf(pod)
  if (reason === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating'
}

function restarts(pod: JsonObject, now: Instant): string {
  const { restarts: count, lastRestart } = summary(pod)
  const ended = parseTime(lastRestart)
  return count === 0 || ended === undefined ? `${count}` : `${count} (${shortDuration(Math.max(0, now - ended))} ago)`
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsIn(specOf(pod).readinessGates)
  if (gates.length === 0) return '<none>'
  const open = gates.filter(({ conditionType }) => conditionIsTrue(statusOf(pod).conditions, textIn(conditionType)))
  return `${open.length}/${gates.length}`
}
