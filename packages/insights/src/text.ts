import { semanticVersion } from '@windlass/api'

/** Cut to as many characters as the API allows, so that it ends in `...`. Counted as the API counts them: an emoji is one. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 3).join('')}...`
}

const versionPattern = new RegExp(`^${semanticVersion}$`)

/** Whether the API takes it for a version. */
export function isVersion(text: string | undefined): text is string {
  return text !== undefined && text.length >= 5 && text.length <= 64 && versionPattern.test(text)
}
