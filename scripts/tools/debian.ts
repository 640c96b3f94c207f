import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toolCache } from './cache.ts'
import { command, type Outcome } from './command.ts'

/** In seconds: so long others may take to fetch package lists. */
const patience = 60

/**
 * A Debian package, unpacked into the tool cache instead of installed: no rights needed, no installed version replaced. With `dependencies`, what it needs and
 * this machine does not have is unpacked into the same folder.
 *
 * Gives the folder that stands for `/`, or the reason why there is none.
 */
export async function unpackDebianPackage(
  name: string,
  { dependencies = false }: { readonly dependencies?: boolean } = {},
): Promise<{ readonly root: string } | { readonly problem: string }> {
  const root = join(toolCache, 'debian', name)
  if (existsSync(root)) return { root }
  mkdirSync(join(toolCache, 'debian'), { recursive: true })
  // Another test may be doing the same: each works in a folder of its own, and the first to finish gives its folder the name.
  const work = mkdtempSync(join(toolCache, 'debian', `.${name}-`))
  try {
    const downloaded = await download(name, dependencies, work)
    if (downloaded.status !== 0) return { problem: `apt-get download ${name}: ${reason(downloaded)}` }
    const files = readdirSync(work).filter((entry) => entry.endsWith('.deb'))
    if (files.length === 0) return { problem: `apt-get download ${name} left no package` }
    for (const file of files) {
      const unpacked = await command('dpkg-deb', ['-x', file, 'root'], work)
      if (unpacked.status !== 0) return { problem: `dpkg-deb -x ${file}: ${reason(unpacked)}` }
    }
    nameOnce(join(work, 'root'), root)
    return { root }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function nameOnce(folder: string, name: string): void {
  try {
    renameSync(folder, name)
  } catch (error) {
    if (!existsSync(name)) throw error
  }
}

/** With the system's package lists; where it has none, or old ones, with lists fetched into the cache. */
async function download(name: string, dependencies: boolean, folder: string): Promise<Outcome> {
  const first = await downloadWith([], name, dependencies, folder)
  if (first.status === 0 || first.status === null) return first
  const lists = join(toolCache, 'apt', 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  mkdirSync(join(toolCache, 'apt', 'cache', 'archives', 'partial'), { recursive: true })
  const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${join(toolCache, 'apt', 'cache')}`]
  const updated = await update(own)
  return updated.status === 0 ? downloadWith(own, name, dependencies, folder) : updated
}

/** One at a time; others wait until it is done. */
async function update(own: readonly string[]): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    const updated = await command('apt-get', [...own, 'update'])
    if (updated.status === 0 || attempt === patience || !updated.stderr.includes('Could not get lock')) return updated
    await sleep(1000)
  }
}

/** A simulated installation names the packages that a real one would add. */
async function downloadWith(own: readonly string[], name: string, dependencies: boolean, folder: string): Promise<Outcome> {
  if (!dependencies) return command('apt-get', [...own, 'download', name], folder)
  const simulated = await command('apt-get', [...own, 'install', '--simulate', '--no-install-recommends', name])
  if (simulated.status !== 0) return simulated
  const missing = [...simulated.stdout.matchAll(/^Inst (\S+)/gm)].map(([, added]) => added ?? '')
  return command('apt-get', [...own, 'download', ...missing], folder)
}

/** Why it failed: errors of apt-get start with `E:` and stand between its warnings. */
function reason({ status, stderr }: Outcome): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? `ended with status ${status}`
}
