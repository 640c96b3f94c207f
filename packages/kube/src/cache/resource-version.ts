/**
 * Whether a resourceVersion is certainly older than another. They are integers, too large for a number: the shorter one is the smaller.
 *
 * False when either is not one, so that news of a server with other ideas is taken as news.
 */
export function isOlder(version: string, than: string): boolean {
  if (!isNumeric(version) || !isNumeric(than)) return false
  return version.length === than.length ? version < than : version.length < than.length
}

function isNumeric(version: string): boolean {
  if (version.length === 0) return false
  for (let index = 0; index < version.length; index++) {
    const code = version.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return true
}
