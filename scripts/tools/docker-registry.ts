import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { MissingToolError } from './cache.ts'
import { unpackDebianPackage } from './debian.ts'

/**
 * The image registry that Debian calls `docker-registry`: from a folder of PATH, or else fetched from Debian's archive.
 *
 * # Errors
 *
 * `MissingToolError` when it is neither here nor to be had.
 */
export async function findDockerRegistry(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '')
  const installed = folders.map((folder) => join(folder, 'docker-registry')).find(isExecutable)
  if (installed !== undefined) return installed
  const unpacked = await unpackDebianPackage('docker-registry')
  const problem =
    'problem' in unpacked ? unpacked.problem : 'the package docker-registry of this distribution has no usr/bin/docker-registry'
  const path = 'root' in unpacked ? join(unpacked.root, 'usr/bin/docker-registry') : ''
  if (path !== '' && isExecutable(path)) return path
  throw new MissingToolError(
    'docker-registry',
    `it is not in a folder of PATH, and ${problem}.`,
    'Put one into a folder of PATH under this name, or run this on Debian with its archive in reach.',
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
