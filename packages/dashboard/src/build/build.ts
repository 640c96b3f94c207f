import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { builtFolder } from './folder.ts'

const sources = join(import.meta.dirname, '../../page')

/** Makes the files of the page. Their names have hashes in them, so that browsers may keep them for ever; the server compresses them. */
export async function buildPage(folder = builtFolder): Promise<void> {
  const work = `${folder}.new`
  await build({
    root: sources,
    base: '/',
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: work,
      emptyOutDir: true,
      target: 'es2023',
      // Small files as data: addresses would need an exception in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  // All at once: a build that was ended half-way is never taken for a whole one.
  rmSync(folder, { recursive: true, force: true })
  renameSync(work, folder)
}
