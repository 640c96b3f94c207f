import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { acceptedEncoding, compress, type Encoding, type WholeAnswer } from '../answer.ts'
import type { Asked } from '../asked.ts'
import { Problem } from '../problem.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** What is compressed already. */
const dense: ReadonlySet<string> = new Set(['.ico', '.png', '.woff2'])

/** Names of files in it are made from what is in them: one that changes gets another name. */
const hashed = '/assets/'

/** Shown where the page was not built. */
const unbuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Windlass</title>
<p>The page is not built yet: run <code>npm run build</code> in the folder of Windlass, then start this command again. The API below <code>/api/v1</code> answers all the same.</p>
</html>
`

interface PageFile {
  readonly content: Buffer
  readonly extension: string
  readonly tag: string
  readonly encoded: Map<Encoding, Promise<Buffer>>
}

/**
 * The built page, in memory: some hundred kilobytes that never change while the process runs. Only what is there when it starts can be asked for, so no path
 * leads out of the folder.
 */
export class PageFiles {
  readonly #files = new Map<string, PageFile>()
  readonly #index: PageFile

  /** Undefined where the page was not built. */
  constructor(folder: string | undefined) {
    for (const name of folder === undefined ? [] : namesIn(folder)) {
      this.#files.set(`/${name.replaceAll(sep, '/')}`, pageFile(readFileSync(join(folder ?? '', name)), extname(name)))
    }
    this.#index = this.#files.get('/index.html') ?? pageFile(Buffer.from(unbuilt), '.html')
  }

  /** The file, or the page itself: which of its views a path means is the page's business. */
  async answer({ method, path, headers }: Pick<Asked, 'method' | 'path' | 'headers'>): Promise<WholeAnswer> {
    if (method !== 'GET' && method !== 'HEAD') throw new Problem(405, `${method} is not possible here.`, { allow: 'GET, HEAD' })
    const found = this.#files.get(path)
    if (found === undefined && path.startsWith(hashed)) {
      throw new Problem(404, `There is no file ${path}: the page is of another version. Load it again.`)
    }
    const file = found ?? this.#index
    const common = {
      'cache-control': path.startsWith(hashed) ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.tag,
      vary: 'accept-encoding',
    }
    if (headers['if-none-match'] === file.tag) return { status: 304, headers: common, body: '' }
    const type = { 'content-type': types[file.extension] ?? 'application/octet-stream' }
    const encoding = dense.has(file.extension) ? undefined : acceptedEncoding(headers['accept-encoding'])
    if (encoding === undefined) return { status: 200, headers: { ...common, ...type }, body: file.content }
    return { status: 200, headers: { ...common, ...type, 'content-encoding': encoding }, body: await encoded(file, encoding) }
  }
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, sep).length))
}

function pageFile(content: Buffer, extension: string): PageFile {
  const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  return { content, extension, tag, encoded: new Map() }
}

/** Once for each file, as well as can be. */
function encoded({ content, encoded: known }: PageFile, encoding: Encoding): Promise<Buffer> {
  const before = known.get(encoding)
  if (before !== undefined) return before
  const made = compress(content, encoding, true)
  known.set(encoding, made)
  return made
}
