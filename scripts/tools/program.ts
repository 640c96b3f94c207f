import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { MissingToolError } from './cache.ts'
import { unpackDebianPackage } from './debian.ts'

/** A program that tests run, and the package of Debian that has it under the same name in `/usr/bin`. */
export interface Program {
  readonly name: string
  readonly package: string
}

/**
 * Where a program is: in a folder of PATH, or else fetched from Debian's archive.
 *
 * # Errors
 *
 * `MissingToolError` when it is neither here nor to be had.
 */
export async function findProgram({ name, package: packageName }: Program): Promise<string> {
  const installed = findInPath(name)
  if (installed !== undefined) return installed
  const unpacked = await unpackDebianPackage(packageName)
  const problem = 'problem' in unpacked ? unpacked.problem : `the package ${packageName} of this distribution has no usr/bin/${name}`
  const path = 'root' in unpacked ? join(unpacked.root, 'usr/bin', name) : ''
  if (path !== '' && isExecutable(path)) return path
  throw new MissingToolError(
    name,
    `it is not in a folder of PATH, and ${problem}.`,
    'Put one into a folder of PATH under this name, or run this on Debian with its archive in reach.',
  )
}

/** The first file of this name in the folders of PATH that can be run. */
export function findInPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
