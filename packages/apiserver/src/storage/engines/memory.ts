import type { ByteString } from '../byte-string.ts'
import type { Batch, Engine, Table, View } from '../engine.ts'
import { metaKeys, type StoreState } from '../format.ts'
import { LogStore } from '../log-store.ts'
import type { Store } from '../store.ts'
import { OrderedMap } from './ordered-map.ts'

/** Everything in memory, without timers and without I/O: for simulation and unit tests. */
export class MemoryEngine implements Engine {
  #tables: Readonly<Record<Table, OrderedMap>> = {
    objects: new OrderedMap(),
    log: new OrderedMap(),
    index: new OrderedMap(),
    meta: new OrderedMap(),
  }

  /** The same contents in an engine of its own. Tables never change, so it costs nothing whatever they hold. */
  copy(): MemoryEngine {
    const copy = new MemoryEngine()
    copy.#tables = this.#tables
    return copy
  }

  view(): View {
    const tables = this.#tables
    return {
      get: (table, key) => tables[table].get(key),
      range: (table, range) => tables[table].range(range),
      keys: (table, range) => tables[table].keys(range),
      close: () => {},
    }
  }

  commit(batch: Batch): Promise<void> {
    const { objects, log, index, meta } = this.#tables
    this.#tables = {
      objects: objects.with(batch.objects),
      log: log.with(batch.log),
      index: index.with(batch.index),
      meta: meta.with(batch.meta),
    }
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

/** A store in memory. A copy of it holds the same objects, log and counter, and goes its own way from there. */
export interface MemoryStore extends Store {
  /** Of what is durable now. Costs nothing but counting the keys. */
  copy(): MemoryStore
}

/** A store that is gone when the process ends. */
export function openMemoryStore(): MemoryStore {
  return new MemoryLogStore(new MemoryEngine())
}

class MemoryLogStore extends LogStore implements MemoryStore {
  readonly #engine: MemoryEngine

  constructor(engine: MemoryEngine) {
    super({ engine, state: stateOf(engine), place: 'the store in memory' })
    this.#engine = engine
  }

  copy(): MemoryStore {
    return new MemoryLogStore(this.#engine.copy())
  }
}

/** The tables know how far they are; the store that filled them may be a step behind. */
function stateOf(engine: MemoryEngine): StoreState {
  const view = engine.view()
  const read = (key: ByteString): number | undefined => {
    const value = view.get('meta', key)
    return value === undefined ? undefined : Number(value.toString())
  }
  return { revision: read(metaKeys.revision) ?? 1, compacted: read(metaKeys.compacted) ?? 0 }
}
