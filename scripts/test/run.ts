import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCases, missingCases } from './cases.ts'

// A test that waits for ever is named and ended after its time, far above what any takes: a hanging run says nothing at all.
const suites = {
  /** One process for each core: hardly any of these waits for anything but the processor. */
  unit: {
    files: '{packages/*/src,bench}/**/*.test.ts',
    flags: ['--test-isolation=none', '--test-timeout=300000', '--test-force-exit'],
    processes: Math.min(2, availableParallelism()),
  },
  /** Two at once: most of the time each waits for servers of its own. */
  e2e: { files: 'test/**/*.test.ts', flags: ['--test-concurrency=2', '--test-timeout=900000'], processes: 1 },
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
  // Each process leaves here which cases of the specifications it has seen proved.
  const folder = mkdtempSync(join(tmpdir(), 'windlass-cases-'))
  try {
    let worst = 0
    for (const name of chosen) worst = Math.max(worst, await runSuite(name, flags, folder))
    const reports = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const line = describeCases(reports)
    if (line !== undefined) process.stdout.write(`${line}\n`)
    // Flags choose tests; whoever names suites has left some out.
    const missing = args.length === 0 ? missingCases(reports) : []
    for (const problem of missing) process.stdout.write(`${problem}\n`)
    return Math.max(worst, missing.length === 0 ? 0 : 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runSuite(name: Suite, extra: readonly string[], folder: string): Promise<number> {
  const { files, flags, processes } = suites[name]
  const found = globSync(files).toSorted()
  if (found.length === 0) {
    process.stdout.write(`no ${name} tests yet\n`)
    return 0
  }
  process.stdout.write(`${name}: ${found.length} files\n`)
  const shares = Array.from({ length: processes }, (_, share) => found.filter((_file, index) => index % processes === share))
  const statuses = await Promise.all(shares.map((share, index) => runFiles(share, [...flags, ...extra], join(folder, `${name}-${index}`))))
  return Math.max(...statuses)
}

function runFiles(files: readonly string[], flags: readonly string[], cases: string): Promise<number> {
  const seed = ['--import', './scripts/test/fixed-seed.ts']
  const reporter = [
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test/summary.ts',
    '--test-reporter-destination=stdout',
  ]
  const child = spawn(process.execPath, ['--test', ...seed, ...flags, ...reporter, ...files], {
    stdio: 'inherit',
    env: { ...process.env, WINDLASS_CASES: cases },
  })
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
