import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the built files go. Git ignores it; `npm ci` makes it. */
export const builtFolder = join(import.meta.dirname, '../../dist')

/** The folder with the files of the page; undefined when they have not been built, which `npm run build` does. */
export function pageFolder(): string | undefined {
  return existsSync(join(builtFolder, 'index.html')) ? builtFolder : undefined
}
