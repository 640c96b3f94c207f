import { createHash } from 'node:crypto'

/** A short name for a document's content: equal bytes, equal hash. */
export function contentHash(bytes: Buffer): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase()
}

export function etagOf(hash: string): string {
  return `"${hash}"`
}

/** Whether the client's copy is current, by its If-None-Match header: the answer is then 304 without a body. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((each) => {
    const candidate = each.trim().replace(/^W\//, '')
    return candidate === etag || candidate === '*'
  })
}
