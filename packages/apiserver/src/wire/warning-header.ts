/** When the texts of one answer are longer than this together, each is cut. In characters. */
const mostTogether = 4096
const mostEachWhenCut = 256

/**
 * Values of the Warning headers of an answer: every text once, quoted; when they are too long together, each is cut to 256
 * characters and those after 4,096 characters are left out. Texts with control characters cannot be in a header and are left out.
 *
 * The values hold UTF-8 bytes one per character, which is how Node writes headers that are not ASCII.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== '' && !hasControlCharacter(text))
  const lengths = distinct.map(characters)
  const isTooLong = lengths.reduce((sum, length) => sum + length, 0) > mostTogether
  if (!isTooLong) return distinct.map(headerValue)
  const headers: string[] = []
  let written = 0
  for (const text of distinct) {
    if (written >= mostTogether) break
    const cut = Array.from(text).slice(0, mostEachWhenCut).join('')
    written += characters(cut)
    headers.push(headerValue(cut))
  }
  return headers
}

function characters(text: string): number {
  return Array.from(text).length
}

function headerValue(text: string): string {
  const quoted = text.replaceAll(/["\\]/g, String.raw`\$&`)
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1')
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
