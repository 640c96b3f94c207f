import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { load } from 'js-yaml'
import { Failure, fileProblem, systemCode } from '../failures.ts'

/** The cluster in every kubeconfig that our servers write; by it we know a file that is ours to replace. */
const ourCluster = 'windlass'

/**
 * Writes a kubeconfig that only its owner can read. Whoever waits for the file never sees half of it, nor a moment of it with other
 * permissions: it is made under another name and moved into place.
 */
export function writeKubeconfig(file: string, content: string): void {
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}`)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(unfinished, { force: true })
    const descriptor = openSync(unfinished, 'wx', 0o600)
    try {
      writeSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw unwritable(file, error)
  }
}

/**
 * Throws `Failure` when something else is in the file's place: somebody who says `--kubeconfig ~/.kube/config` must not lose the way to
 * their other clusters.
 */
export function assertReplaceable(file: string): void {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw unwritable(file, error)
  }
  if (content.trim() === '' || isOurs(content)) return
  throw new Failure(`${file} is not a kubeconfig that Windlass wrote and would be lost: choose another file with --kubeconfig, or remove it`)
}

function isOurs(content: string): boolean {
  try {
    const config = load(content)
    if (typeof config !== 'object' || config === null || !('clusters' in config) || !Array.isArray(config.clusters)) return false
    return (config.clusters as readonly unknown[]).every(
      (entry) => typeof entry === 'object' && entry !== null && 'name' in entry && entry.name === ourCluster,
    )
  } catch {
    return false
  }
}

function unwritable(file: string, error: unknown): Failure {
  return new Failure(`the kubeconfig ${file} cannot be written (${fileProblem(error)}): choose another file with --kubeconfig`, { cause: error })
}
