import type { Status } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import { isVerbatim } from '../registry/stored.ts'
import { encodeJson } from '../wire/index.ts'
import type { EventType, WatchEvent } from './event.ts'

/** Turns events into lines of a watch, in the form one client asked for. */
export interface EventEncoder {
  /** A change that stays as it is: `type` is what it means to this watcher. */
  change(type: EventType, event: WatchEvent, isDeparture: boolean): Buffer
  /** An object of the present state; `bytes` where it can be shown as it is stored, so that most are never read. */
  present(bytes: Buffer | undefined, object: () => JsonObject): Buffer
  bookmark(revision: number, endsInitialEvents: boolean): Buffer
  error(status: Status): Buffer
}

const opening: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}
const closing = Buffer.from('}\n')

/** How an object looks inside an event, where that is not the object itself: a Table, or its metadata only. */
export interface Shape {
  /** Watchers whose shapes have the same name get the same bytes. */
  readonly name: string
  readonly object: (object: JsonObject) => JsonObject
  readonly bookmark: (bookmark: JsonObject) => JsonObject
}

export function eventEncoder(served: Served, shape: Shape | undefined): EventEncoder {
  const sharing = `${served.apiVersion} ${shape?.name ?? ''}`
  const shaped = (object: JsonObject): Buffer => encodeJson(shape === undefined ? object : shape.object(object))

  return {
    change(type, event, isDeparture) {
      return event.encoded(`${type} ${isDeparture ? 'departed ' : ''}${sharing}`, () => {
        if (isDeparture) return line(type, shaped(event.departed(served)))
        const verbatim = shape === undefined && isVerbatim(served, event)
        return line(type, verbatim ? event.change.bytes : shaped(event.object(served)))
      })
    },
    present: (bytes, object) => line('ADDED', shape === undefined && bytes !== undefined ? bytes : shaped(object())),
    bookmark(revision, endsInitialEvents) {
      const annotations = endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
      const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...annotations }
      const object = { kind: served.type.kind, apiVersion: served.apiVersion, metadata }
      return Buffer.concat([
        Buffer.from('{"type":"BOOKMARK","object":'),
        encodeJson(shape === undefined ? object : shape.bookmark(object)),
        closing,
      ])
    },
    error: (status) => Buffer.from(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`),
  }
}

function line(type: EventType, object: Buffer): Buffer {
  return Buffer.concat([opening[type], object, closing])
}
