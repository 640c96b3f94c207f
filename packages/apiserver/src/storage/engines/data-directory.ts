import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StoreError } from '../store.ts'
import { type Lock, takeLock } from './lock-file.ts'

/** The file that each engine keeps its data in. A directory belongs to one of them. */
const files = { lmdb: 'objects.mdb', sqlite: 'objects.sqlite' } as const
export type EngineName = keyof typeof files

export interface DataDirectory {
  readonly path: string
  readonly file: string
  /** Lets other processes use the directory. */
  release(): void
}

/** Makes the directory ours alone, creating it when needed. Throws StoreError when that cannot be. */
export function claimDirectory(directory: string, engine: EngineName): DataDirectory {
  let path = resolve(directory)
  let lock: Lock | undefined
  try {
    // Secrets are stored in it.
    mkdirSync(path, { recursive: true, mode: 0o700 })
    path = realpathSync(path)
    lock = takeLock(path)
    for (const [other, name] of Object.entries(files)) {
      if (other === engine || !existsSync(join(path, name))) continue
      throw new StoreError(
        `${path} holds a store of the ${other} engine, not of ${engine}: open it with ${other}, or choose another data directory`,
      )
    }
    return { path, file: join(path, files[engine]), release: lock.release }
  } catch (error) {
    lock?.release()
    throw explain(error, path)
  }
}

/** Makes the names of new files survive a power cut; syncing a file does not do that. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** One sentence for people: what is wrong with the data directory, and what to do. */
export function explain(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error
  return new StoreError(sentence(error, path), { cause: error })
}

function sentence(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const text = error instanceof Error ? error.message : String(error)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || /permission denied|read-?only/i.test(text)) {
    return `the data directory ${path} cannot be written: give the user that runs Windlass write access to it, or choose another data directory`
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || /no space left|disk is full/i.test(text)) {
    return `there is no space left for the data directory ${path}: free some, or choose another data directory`
  }
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${path} cannot be a data directory because a file is in its place: choose another data directory`
  if (/MDB_INVALID|MDB_CORRUPTED|MDB_PAGE_NOTFOUND|MDB_VERSION_MISMATCH|not a database|malformed|not an LMDB file/i.test(text)) {
    return `the data in ${path} is damaged or of another kind (${text}): restore a backup, or move it away to start with an empty store`
  }
  return `the data directory ${path} cannot be opened (${text}): check that it is on a local disk that works, or choose another data directory`
}
