import { type FieldError, invalid, required } from '../../errors/field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ComputedColumn } from '../../registry/resource.ts'
import { column, wide } from '../columns.ts'
import { immutable, qualifiedName } from '../checks.ts'
import { always, int32, microTime, pointer, string, time } from '../dsl/index.ts'
import { eventSeries, eventSource } from '../fields/core.ts'
import { eventSeries as newEventSeries } from '../fields/events.ts'
import { objectReference } from '../fields/references.ts'
import { defineKind } from '../kind.ts'
import { isAbsent, metadataOf, numberIn, objectIn, textIn } from '../tree.ts'
import { asCoreEvent, asNewEvent } from './event-forms.ts'

/**
 * Events, served by two API groups over the same stored objects. They are stored in the form of the core group; rules and columns
 * are written for that form.
 */

const secondsToLive = 3600

const columns: readonly ComputedColumn[] = [
  column('Last Seen', 'When the event was seen last.', (event) => ({ age: lastSeen(asCoreEvent(event)) })),
  column('Type', 'Normal, or Warning.', (event) => textIn(event.type)),
  column('Reason', 'Why it happened, in one word.', (event) => textIn(event.reason)),
  column('Object', 'What it happened to.', (event) => target(asCoreEvent(event))),
  wide('Subobject', 'Which part of the object.', (event) => textIn(objectIn(asCoreEvent(event).involvedObject).fieldPath)),
  wide('Source', 'Who reported it.', (event) => source(asCoreEvent(event))),
  column('Message', 'What happened, for people.', (event) => textIn(asCoreEvent(event).message).trim()),
  wide('First Seen', 'When the event was seen first.', (event) => ({ age: firstSeen(asCoreEvent(event)) })),
  wide('Count', 'How often it happened.', (event) => count(asCoreEvent(event))),
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the event.',
    priority: 1,
    cell: (event) => textIn(metadataOf(event).name),
  },
]

const shared = {
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  columns,
} as const

export const coreEvent = defineKind({
  ...shared,
  group: '',
  fields: {
    involvedObject: objectReference,
    reason: string,
    message: string,
    source: eventSource,
    firstTimestamp: time,
    lastTimestamp: time,
    count: int32,
    type: string,
    eventTime: microTime,
    series: pointer(eventSeries),
    action: string,
    related: pointer(objectReference),
    reportingComponent: always(string),
    reportingInstance: always(string),
  },
  behaviour: {
    // Recorders name core events as they like; only events.k8s.io insists on more.
    names: 'path',
    allowsCreateOnUpdate: true,
    timeToLive: secondsToLive,
    validate: (event) => commonErrors(event, 'reportingComponent'),
    fieldLabelNames: Object.keys(coreLabels({})),
    fieldLabels: coreLabels,
  },
})

export const event = defineKind({
  ...shared,
  group: 'events.k8s.io',
  fields: {
    eventTime: microTime,
    series: pointer(newEventSeries),
    reportingController: string,
    reportingInstance: string,
    action: string,
    reason: string,
    regarding: objectReference,
    related: pointer(objectReference),
    note: string,
    type: string,
    deprecatedSource: eventSource,
    deprecatedFirstTimestamp: time,
    deprecatedLastTimestamp: time,
    deprecatedCount: int32,
  },
  storedAs: { group: '', resource: 'events', fromStored: asNewEvent, toStored: asCoreEvent },
  behaviour: {
    allowsCreateOnUpdate: true,
    timeToLive: secondsToLive,
    validate: (object, old) => {
      const [next, before] = [asCoreEvent(object), old === undefined ? undefined : asCoreEvent(old)]
      return [...commonErrors(next, 'reportingController'), ...(before === undefined ? creationErrors(next) : changeErrors(next, before))]
    },
    fieldLabelNames: Object.keys(newLabels({})),
    fieldLabels: newLabels,
  },
})

function coreLabels(object: JsonObject): Readonly<Record<string, string>> {
  const event = asCoreEvent(object)
  const component = textIn(objectIn(event.source).component)
  return {
    ...referenceLabels('involvedObject', event.involvedObject),
    reason: textIn(event.reason),
    reportingComponent: textIn(event.reportingComponent),
    source: component === '' ? textIn(event.reportingComponent) : component,
    type: textIn(event.type),
  }
}

function newLabels(object: JsonObject): Readonly<Record<string, string>> {
  const event = asCoreEvent(object)
  return {
    ...referenceLabels('regarding', event.involvedObject),
    reason: textIn(event.reason),
    reportingController: textIn(event.reportingComponent),
    type: textIn(event.type),
  }
}

function referenceLabels(prefix: string, reference: Json | undefined): Record<string, string> {
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
  return Object.fromEntries(fields.map((field) => [`${prefix}.${field}`, textIn(objectIn(reference)[field])]))
}

/** Rules for all events. Those with an `eventTime` come from new recorders, of which more is expected. */
function commonErrors(event: JsonObject, reporterField: string): readonly FieldError[] {
  const namespace = textIn(metadataOf(event).namespace)
  const regarded = textIn(objectIn(event.involvedObject).namespace)
  const elsewhere = [invalid('involvedObject.namespace', regarded, 'does not match event.namespace')]
  if (isAbsent(event.eventTime)) {
    const fits = regarded === '' ? namespace === '' || namespace === 'default' : regarded === namespace
    return fits ? [] : elsewhere
  }
  const isHome = regarded !== '' || namespace === 'default' || namespace === 'kube-system'
  const reporter = textIn(event.reportingComponent)
  return [
    ...(isHome ? [] : elsewhere),
    ...(reporter === '' ? [required(reporterField)] : []),
    ...qualifiedName(reporter, reporterField),
    ...limited(event, 'reportingInstance', 128, true),
    ...limited(event, 'action', 128, true),
    ...limited(event, 'reason', 128, true),
    ...limited(event, 'message', 1024, false),
  ]
}

function limited(event: JsonObject, field: string, most: number, isRequired: boolean): readonly FieldError[] {
  const text = textIn(event[field])
  if (text === '') return isRequired ? [required(field)] : []
  return Buffer.byteLength(text) > most ? [invalid(field, '', `can have at most ${most} characters`)] : []
}

function seriesErrors({ series }: JsonObject): readonly FieldError[] {
  if (isAbsent(series)) return []
  const { count, lastObservedTime } = objectIn(series)
  return [
    ...(numberIn(count) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(isAbsent(lastObservedTime) ? [required('series.lastObservedTime')] : []),
  ]
}

function creationErrors(event: JsonObject): readonly FieldError[] {
  const isKnownType = event.type === 'Normal' || event.type === 'Warning'
  const source = objectIn(event.source)
  const left: readonly (readonly [string, boolean])[] = [
    ['firstTimestamp', !isAbsent(event.firstTimestamp)],
    ['lastTimestamp', !isAbsent(event.lastTimestamp)],
    ['count', numberIn(event.count) !== 0],
    ['source', textIn(source.component) !== '' || textIn(source.host) !== ''],
  ]
  return [
    ...seriesErrors(event),
    ...(isAbsent(event.eventTime) ? [required('eventTime')] : []),
    ...(isKnownType ? [] : [invalid('type', '', `has invalid value: ${textIn(event.type)}`)]),
    ...left.filter(([, isSet]) => isSet).map(([field]) => invalid(field, '', 'needs to be unset')),
  ]
}

/** Only the series goes on; in everything else an event says what it said. */
const lasting = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
]

function changeErrors(event: JsonObject, old: JsonObject): readonly FieldError[] {
  return [
    ...seriesErrors(event),
    ...lasting.flatMap((field) => immutable(event[field], old[field], field)),
    ...immutable(event.reportingComponent, old.reportingComponent, 'reportingController'),
    ...immutable(event.reportingInstance, old.reportingInstance, 'reportingInstance'),
  ]
}

function firstSeen(event: JsonObject): string {
  return textIn(event.firstTimestamp) || textIn(event.eventTime)
}

function lastSeen(event: JsonObject): string {
  const { series } = event
  if (!isAbsent(series)) return textIn(objectIn(series).lastObservedTime)
  return textIn(event.lastTimestamp) || firstSeen(event)
}

function count(event: JsonObject): number {
  const { series } = event
  return isAbsent(series) ? numberIn(event.count) || 1 : numberIn(objectIn(series).count)
}

function target({ involvedObject }: JsonObject): string {
  const { kind, name } = objectIn(involvedObject)
  return textIn(name) === '' ? textIn(kind).toLowerCase() : `${textIn(kind).toLowerCase()}/${textIn(name)}`
}

function source(event: JsonObject): string {
  const { component, host } = objectIn(event.source)
  const [who, where] = [textIn(component) || textIn(event.reportingComponent), textIn(host) || textIn(event.reportingInstance)]
  return where === '' ? who : `${who}, ${where}`
}
