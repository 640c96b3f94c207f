import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from './program.ts'

/** Prometheus, as Debian calls it. Errors: as those of `findProgram`. */
export function findPrometheus(): Promise<string> {
  return findProgram({ name: 'prometheus', package: 'prometheus' })
}

/** What checks rules and metrics; it comes with Prometheus. Errors: as those of `findProgram`. */
export function findPromtool(): Promise<string> {
  return findProgram({ name: 'promtool', package: 'prometheus' })
}

export interface AlertmanagerProgram {
  readonly path: string
  /** Where it must be started, for it to find its files. */
  readonly folder: string | undefined
}

/** Where the package has the templates of Alertmanager, without which it does not start. There is no flag for it. */
const files = '/usr/share/prometheus/alertmanager'

/**
 * Alertmanager, as Debian calls it. One that is unpacked and not installed looks for its files where nobody put them, so that it is copied, and the copy
 * looks in the folder that it is started in.
 *
 * Errors: as those of `findProgram`.
 */
export async function findAlertmanager(): Promise<AlertmanagerProgram> {
  const path = await findProgram({ name: 'prometheus-alertmanager', package: 'prometheus-alertmanager' })
  const folder = join(dirname(path), '../..', files)
  if (existsSync(join(files, 'default.tmpl')) || !existsSync(join(folder, 'default.tmpl'))) return { path, folder: undefined }
  const copy = `${path}.here`
  if (!existsSync(copy)) relocate(path, copy)
  return { path: copy, folder }
}

/** Texts in a program cannot grow or shrink: `./././` is as long as it has to be. */
function relocate(from: string, to: string): void {
  const here = './'.repeat(files.length).slice(0, files.length)
  const program = Buffer.from(readFileSync(from, 'latin1').replaceAll(files, here), 'latin1')
  // Another test may be doing the same.
  const work = mkdtempSync(`${to}-`)
  const made = join(work, 'program')
  writeFileSync(made, program)
  chmodSync(made, 0o755)
  renameSync(made, to)
  rmSync(work, { recursive: true })
}
