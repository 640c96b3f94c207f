import { accessSync, constants, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MissingToolError } from './cache.ts'
import { command } from './command.ts'
import { unpackDebianPackage } from './debian.ts'

export interface KubectlBinary {
  readonly path: string
  /** `1.20.2` */
  readonly version: string
  /** 20 of 1.20.2: what a command line can do depends on it. */
  readonly minor: number
}

/** The oldest one that must work. It is in Debian's archive, so it can be had wherever there is `apt-get`. */
export const oldestMinor = 20

/**
 * Every kubectl on this machine, oldest first, each version once: `kubectl` and `kubectl.1.NN` in the folders of PATH and in those that
 * their links lead to, and Debian's, which is fetched when there is no 1.20 yet.
 *
 * # Errors
 *
 * `MissingToolError` when the oldest is not here and cannot be fetched, `Error` when one that was found does not run.
 */
export async function findKubectls(): Promise<readonly KubectlBinary[]> {
  const found: KubectlBinary[] = []
  for (const path of candidates(process.env['PATH'] ?? '')) {
    const binary = await inspect(path)
    if (binary !== undefined) found.push(binary)
  }
  if (!found.some(({ minor }) => minor === oldestMinor)) found.push(await debianKubectl())
  const byVersion = new Map(found.toReversed().map((binary) => [binary.version, binary]))
  return [...byVersion.values()].toSorted((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
}

/** Real files called `kubectl` or `kubectl.1.NN`, without repetitions. */
function candidates(path: string): readonly string[] {
  const folders = path.split(':').filter((folder) => folder !== '')
  const direct = folders.flatMap(kubectlsIn)
  return [...new Set([...direct, ...direct.map(dirname).flatMap(kubectlsIn)])]
}

function kubectlsIn(folder: string): readonly string[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return [] // PATH may name folders that do not exist
  }
  return names.filter((name) => /^kubectl(\.1\.\d+)?$/.test(name)).flatMap((name) => executable(join(folder, name)))
}

function executable(path: string): readonly string[] {
  try {
    accessSync(path, constants.X_OK)
    return [realpathSync(path)]
  } catch {
    return []
  }
}

/** What it says it is; nothing for a dispatcher, which starts one of its neighbours, whichever fits the server it meets. */
async function inspect(path: string): Promise<KubectlBinary | undefined> {
  const { status, stdout, stderr } = await command(path, ['version', '--client', '-o', 'json'])
  const version = /"gitVersion": "v([^"]+)"/.exec(stdout)?.[1]
  const minor = /^1\.(\d+)\./.exec(version ?? '')?.[1]
  if (status !== 0 || version === undefined || minor === undefined)
    throw new Error(`${path} does not tell its version: ${stderr || stdout}`)
  return version.endsWith('-dispatcher') ? undefined : { path, version, minor: Number(minor) }
}

async function debianKubectl(): Promise<KubectlBinary> {
  const unpacked = await unpackDebianPackage('kubernetes-client')
  const problem = 'problem' in unpacked ? unpacked.problem : undefined
  const binary = 'root' in unpacked ? await inspect(join(unpacked.root, 'usr/bin/kubectl')) : undefined
  if (binary?.minor === oldestMinor) return binary
  throw new MissingToolError(
    `kubectl 1.${oldestMinor}`,
    `it is not in a folder of PATH, and ${problem ?? `the package kubernetes-client of this distribution has ${binary?.version ?? 'a dispatcher'}`}.`,
    `Put one into a folder of PATH under the name kubectl.1.${oldestMinor}, or run this on Debian 12 with its archive in reach.`,
  )
}
