import type { Durability, Engine } from '../engine.ts'
import { openFormat } from '../format.ts'
import { LogStore } from '../log-store.ts'
import type { Store } from '../store.ts'
import { claimDirectory, type DataDirectory, type EngineName, explain, syncDirectory } from './data-directory.ts'

export interface DurableStoreOptions {
  /** Made when it is not there. One process at a time may use it. */
  readonly directory: string
  /** `full` when not given. */
  readonly durability?: Durability
}

/** What every store on disk does around its engine: claims the directory, reads the format, and says in one sentence what is wrong. */
export async function openDurableStore(
  name: EngineName,
  { directory: path, durability = 'full' }: DurableStoreOptions,
  open: (directory: DataDirectory, durability: Durability) => Promise<Engine>,
): Promise<Store> {
  const directory = claimDirectory(path, name)
  let opened: Engine | undefined
  try {
    opened = await open(directory, durability)
    const engine = releasing(opened, directory)
    syncDirectory(directory.path)
    const state = await openFormat(engine, directory.path)
    return new LogStore({ engine, state, place: directory.path })
  } catch (error) {
    await opened?.close()
    directory.release()
    throw explain(error, directory.path)
  }
}

/** Gives the directory back when the engine is closed, however that ends. */
function releasing(engine: Engine, directory: DataDirectory): Engine {
  return {
    view: () => engine.view(),
    commit: (batch) => engine.commit(batch),
    close: async () => {
      try {
        await engine.close()
      } finally {
        directory.release()
      }
    },
  }
}
