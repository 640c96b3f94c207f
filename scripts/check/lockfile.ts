import { readFileSync } from 'node:fs'

/** The lock file names packages and their hashes, not the registry somebody happened to use. */
export function lockfileProblems(): readonly string[] {
  const lines = readFileSync('package-lock.json', 'utf8').split('\n')
  return lines.flatMap((line, index) => (/"resolved": "http/.test(line) ? [`package-lock.json:${index + 1}: names a registry`] : []))
}
