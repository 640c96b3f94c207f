import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

// A test that waits for ever is named and ended after its time, far above what any takes: a hanging run says nothing at all.
const suites = {
  unit: { files: 'packages/*/src/**/*.test.ts', flags: ['--test-isolation=none', '--test-timeout=300000', '--test-force-exit'] },
  e2e: { files: 'test/**/*.test.ts', flags: ['--test-concurrency=1', '--test-timeout=900000'] },
} as const
type Suite = keyof typeof suites

/** Runs the named suites (all without a name) and gives the exit status: 0 when every one passed. */
export async function runTests(args: readonly string[]): Promise<number> {
  const named = args.filter((arg): arg is Suite => arg in suites)
  const flags = args.filter((arg) => arg.startsWith('-'))
  const unknown = args.filter((arg) => !(arg in suites) && !arg.startsWith('-'))
  if (unknown.length > 0) {
    process.stderr.write(`unknown suite ${unknown.join(', ')}: there are ${Object.keys(suites).join(', ')}\n`)
    return 2
  }
  const chosen = named.length > 0 ? named : (Object.keys(suites) as Suite[])
  let worst = 0
  for (const name of chosen) worst = Math.max(worst, await runSuite(name, flags))
  return worst
}

function runSuite(name: Suite, extra: readonly string[]): Promise<number> {
  const { files, flags } = suites[name]
  const found = globSync(files).toSorted()
  if (found.length === 0) {
    process.stdout.write(`no ${name} tests yet\n`)
    return Promise.resolve(0)
  }
  process.stdout.write(`${name}: ${found.length} files\n`)
  const seed = ['--import', './scripts/test/fixed-seed.ts']
  const reporter = [
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test/summary.ts',
    '--test-reporter-destination=stdout',
  ]
  const child = spawn(process.execPath, ['--test', ...seed, ...flags, ...reporter, ...extra, ...found], { stdio: 'inherit' })
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
