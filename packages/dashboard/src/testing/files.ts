import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** As strict as that of the real server: the page must live with it. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A built file; the page itself for any path that is none, because paths belong to the page. */
export function sendFile(folder: string, path: string, request: IncomingMessage, response: ServerResponse): void {
  const name = path.startsWith('/assets/') ? normalize(path) : '/index.html'
  const file = join(folder, name)
  if (!existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  const isZipped = /\bbr\b/.test(request.headers['accept-encoding']?.toString() ?? '')
  response.writeHead(200, {
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': name === '/index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
    ...(isZipped ? { 'content-encoding': 'br' } : {}),
  })
  response.end(isZipped ? zipped(file) : readFileSync(file))
}

const known = new Map<string, Buffer>()

/** Compressed once, as well as can be. */
function zipped(file: string): Buffer {
  const before = known.get(file)
  if (before !== undefined) return before
  const made = brotliCompressSync(readFileSync(file))
  known.set(file, made)
  return made
}
