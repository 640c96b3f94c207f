import { sources } from './sources.ts'

/** The one file for each thing that reaches outside of the program's own arithmetic. */
const homes: readonly { readonly pattern: RegExp; readonly what: string; readonly files: readonly string[] }[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
    what: 'reads the clock',
    files: ['packages/core/src/clock/system-clock.ts'],
  },
  { pattern: /\bset(Timeout|Interval)\(/, what: 'sets a timer', files: ['packages/core/src/clock/system-clock.ts'] },
  { pattern: /\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/, what: 'rolls dice', files: ['packages/core/src/random/system-random.ts'] },
]

/** Source lines that read the clock, set timers or roll dice outside their homes. Tests may. */
export function globalsProblems(): readonly string[] {
  const problems: string[] = []
  for (const source of sources()) {
    if (source.isTest) continue
    for (const [index, line] of source.lines.entries()) {
      if (/^\s*(\/\/|\*|\/\*)/.test(line)) continue
      for (const home of homes) {
        if (home.pattern.test(line) && !home.files.includes(source.file)) problems.push(`${source.file}:${index + 1}: ${home.what}`)
      }
    }
  }
  return problems
}
