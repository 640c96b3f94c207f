import { endOf, toByteString } from './byte-string.ts'
import type { Engine, View } from './engine.ts'
import { logPosition, parseLogKey } from './records.ts'
import { StoreError } from './store.ts'

/** The layout of `records.ts`. */
const format = '1'

export const metaKeys = {
  format: toByteString('format'),
  revision: toByteString('revision'),
  compacted: toByteString('compacted'),
}

export interface StoreState {
  readonly revision: number
  readonly compacted: number
}

/** Reads what a store says of itself, and refuses what this code would misread. An empty one is made ready. */
export async function openFormat(engine: Engine, place: string): Promise<StoreState> {
  const view = engine.view()
  try {
    const found = view.get('meta', metaKeys.format)?.toString()
    if (found === format) return readState(view, place)
    if (found !== undefined) {
      throw new StoreError(
        `${place} has store format ${found} and this version of Windlass reads format ${format}: run the version that wrote it, or choose another data directory`,
      )
    }
    if (view.keys('objects', { from: toByteString(''), to: endOf(toByteString('')), limit: 1 }).length > 0)
      throw damaged(place, 'it has objects but no format')
  } finally {
    view.close()
  }
  const state = { revision: 1, compacted: 0 }
  const meta = new Map([
    [metaKeys.format, Buffer.from(format)],
    [metaKeys.revision, Buffer.from(String(state.revision))],
  ])
  await engine.commit({ objects: new Map(), log: new Map(), index: new Map(), meta })
  return state
}

/** Object, log entry and counter are written together: where they do not fit together, something else has written. */
function readState(view: View, place: string): StoreState {
  const revision = readNumber(view, 'revision', place) ?? 0
  const compacted = readNumber(view, 'compacted', place) ?? 0
  if (revision < 1) throw damaged(place, 'its revision is missing')
  const newest = view
    .keys('log', { from: logPosition(revision), to: endOf(toByteString('9')), limit: 2 })
    .map((key) => parseLogKey(key).revision)
  const isComplete = newest[0] === revision || (newest.length === 0 && compacted >= revision) || revision === 1
  if (!isComplete || newest.length > 1) throw damaged(place, `its log does not end at its revision ${revision}`)
  return { revision, compacted }
}

function readNumber(view: View, name: 'revision' | 'compacted', place: string): number | undefined {
  const value = view.get('meta', metaKeys[name])?.toString()
  if (value === undefined || /^\d{1,15}$/.test(value)) return value === undefined ? undefined : Number(value)
  throw damaged(place, `its ${name} is no number`)
}

function damaged(place: string, detail: string): StoreError {
  return new StoreError(`${place} is damaged (${detail}): restore a backup, or move it away to start with an empty store`)
}
