import type { Batch, Engine, Table, View } from '../engine.ts'
import { LogStore, type LogStoreOptions } from '../log-store.ts'
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

/** A store that is gone when the process ends. */
export function openMemoryStore(options: LogStoreOptions = {}): Store {
  return new LogStore({ ...options, engine: new MemoryEngine(), state: { revision: 1, compacted: 0 }, place: 'the store in memory' })
}
