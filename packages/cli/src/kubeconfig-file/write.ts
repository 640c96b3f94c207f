import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}`)
    try {
      rmSync(unfinished, { force: true })
      writeSecret(unfinished, content)
      renameSync(unfinished, file)
    } finally {
      rmSync(unfinished, { force: true })
    }
  } catch (error) {
    throw unwritable(file, error)
  }
}

/** Fails when the file is there: opened instead of made, it would keep the permissions it had. */
function writeSecret(file: string, content: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
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
    // Whatever else is wrong comes up when the file is written, or earlier and in better words when the data folder is opened.
    if (systemCode(error) === 'EISDIR') throw unwritable(file, error)
    return
  }
  if (content.trim() === '' || isOurs(content)) return
  throw new Failure(
    `${file} is not a kubeconfig that Windlass wrote and would be lost: choose another file with --kubeconfig, or remove it`,
  )
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
  return new Failure(`the kubeconfig ${file} cannot be written (${fileProblem(error)}): choose another file with --kubeconfig`, {
    cause: error,
  })
}
