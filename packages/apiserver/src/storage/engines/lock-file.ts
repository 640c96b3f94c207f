import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../store.ts'

/**
 * One process per data directory: a file `lock` with the process's id. A process that was killed leaves it behind; whoever comes
 * next finds the process gone and takes over.
 */

export interface Lock {
  readonly release: () => void
}

/** Directories that this process holds: its own id in a lock file may also be that of a former process with the same number. */
const held = new Set<string>()

interface Owner {
  readonly pid: number
  /** When the process started, as the system counts; tells it from a later one that was given the same number. */
  readonly started?: string
}

export function takeLock(directory: string): Lock {
  const file = join(directory, 'lock')
  const own = join(directory, `lock.${process.pid}`)
  if (held.has(file)) throw inUse(directory, process.pid)
  writeFileSync(own, JSON.stringify(ownerOf(process.pid)))
  try {
    while (!isLinked(own, file)) removeStale(directory, file, `${own}.stale`)
  } finally {
    rmSync(own, { force: true })
  }
  held.add(file)
  return {
    release: () => {
      if (held.delete(file)) rmSync(file, { force: true })
    },
  }
}

/** Creating a link is atomic and fails when the name is taken, and the file is complete from its first moment. */
function isLinked(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Moves a dead owner's file aside. Throws when the owner lives. */
function removeStale(directory: string, file: string, aside: string): void {
  const seen = read(file)
  if (seen === undefined) return
  const owner = parse(seen)
  if (owner !== undefined && isAlive(owner)) throw inUse(directory, owner.pid)
  try {
    renameSync(file, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  // Another process may have taken over between the look and the move: then what was moved is its lock, and goes back.
  if (read(aside) !== seen) isLinked(aside, file)
  rmSync(aside, { force: true })
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function parse(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return undefined
    return 'started' in value && typeof value.started === 'string' ? { pid: value.pid, started: value.started } : { pid: value.pid }
  } catch {
    return undefined
  }
}

function isAlive(owner: Owner): boolean {
  const { started } = ownerOf(owner.pid)
  // Ended, and nobody has asked how: a number is all that is left of it.
  if (isOver(owner.pid)) return false
  // Containers give their first process the same number each time: then only the start tells us from the one before.
  if (owner.pid === process.pid) return started !== undefined && started === owner.started
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return isCode(error, 'EPERM')
  }
  return owner.started === undefined || started === undefined || owner.started === started
}

function ownerOf(pid: number): Owner {
  const started = statOf(pid)[19]
  return started === undefined ? { pid } : { pid, started }
}

function isOver(pid: number): boolean {
  const [state] = statOf(pid)
  return state === 'Z' || state === 'X'
}

/** What the system says of a process behind the name of its command, which may hold anything: the first field is the state, the 20th the start time. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function inUse(directory: string, pid: number): StoreError {
  return new StoreError(`the data directory ${directory} is in use by process ${pid}: stop that process, or choose another data directory`)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
