import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MissingToolError } from './cache.ts'
import { unpackDebianPackage } from './debian.ts'
import { findInPath } from './program.ts'

/** A browser, and what its environment must have in it for it to start. */
export interface ChromiumProgram {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Chromium: from a folder of PATH, or else Debian's, unpacked with the libraries that this machine does not have.
 *
 * # Errors
 *
 * `MissingToolError` when it is neither here nor to be had.
 */
export async function findChromium(): Promise<ChromiumProgram> {
  const installed = findInPath('chromium') ?? findInPath('chromium-browser') ?? findInPath('google-chrome')
  if (installed !== undefined) return { path: installed, env: {} }
  const unpacked = await unpackDebianPackage('chromium', { dependencies: true })
  const problem = 'problem' in unpacked ? unpacked.problem : 'the package chromium of this distribution has no usr/lib/chromium/chromium'
  const root = 'root' in unpacked ? unpacked.root : ''
  // The program itself: /usr/bin/chromium is a script that looks for it where a package would be installed.
  const path = join(root, 'usr/lib/chromium/chromium')
  if (root !== '' && existsSync(path)) return { path, env: environmentIn(root) }
  throw new MissingToolError(
    'chromium',
    `it is not in a folder of PATH, and ${problem}.`,
    'Put one into a folder of PATH under this name, or run this on Debian with its archive in reach.',
  )
}

/** Where libraries are that were unpacked beside it, some in folders of their own; and fonts, on a machine that had none. */
function environmentIn(root: string): Readonly<Record<string, string>> {
  const system = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = globSync([`usr/lib/${system}/**/*.so.*`, `usr/lib/${system}/**/*.so`, `lib/${system}/*.so.*`], { cwd: root })
  return {
    LD_LIBRARY_PATH: [...new Set(libraries.map((file) => join(root, dirname(file))))].toSorted().join(':'),
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_SYSROOT: root }),
  }
}
