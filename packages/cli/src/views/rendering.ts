import { dump } from 'js-yaml'
import type { WideOutputFormat } from './output-formats.ts'

/** What a command has found: as a value for programs, or as lines for people. */
export function rendered(format: WideOutputFormat, value: object, lines: (isWide: boolean) => readonly string[]): string {
  if (format === 'json') return JSON.stringify(value, undefined, 2)
  // What is not there is left out, as JSON does it.
  if (format === 'yaml') return dump(value, { lineWidth: -1, noRefs: true, skipInvalid: true }).trimEnd()
  return lines(format === 'wide').join('\n')
}
