import { spawn } from 'node:child_process'
import { importProblems } from './imports.ts'
import { lockfileProblems } from './lockfile.ts'
import { globalsProblems } from './globals.ts'

interface Check {
  readonly name: string
  readonly remedy: string
  readonly run: () => Promise<readonly string[]>
}

const checks: readonly Check[] = [
  { name: 'types', remedy: '', run: () => command('tsc', ['-p', '.']) },
  { name: 'types of the web page', remedy: '', run: () => command('tsc', ['-p', 'packages/dashboard/page']) },
  { name: 'lint', remedy: '', run: () => command('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'format', remedy: 'run: npm run format', run: () => command('oxfmt', ['--check', '.']) },
  { name: 'imports', remedy: 'ARCHITECTURE.md shows the arrows', run: () => Promise.resolve(importProblems()) },
  { name: 'clock and randomness', remedy: 'take a Clock or a Random instead', run: () => Promise.resolve(globalsProblems()) },
  { name: 'generated files', remedy: 'run: npm run generate', run: () => command(process.execPath, ['scripts/generate.ts', '--check']) },
  { name: 'lock file', remedy: 'run npm install with the .npmrc of this project', run: () => Promise.resolve(lockfileProblems()) },
]

/** Runs every check, prints what it found, and gives the exit status. */
export async function runChecks(): Promise<number> {
  let failed = 0
  for (const check of checks) {
    const problems = await check.run()
    process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${check.name}\n`)
    if (problems.length === 0) continue
    failed++
    process.stdout.write(`${problems.map((line) => `     ${line}\n`).join('')}${check.remedy === '' ? '' : `     ${check.remedy}\n`}`)
  }
  return failed === 0 ? 0 : 1
}

/** The output of a command that failed, line by line; nothing when it succeeded. */
function command(program: string, args: readonly string[]): Promise<readonly string[]> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve([`${program}: ${error.message}`]))
    child.on('close', (code) => resolve(code === 0 ? [] : output.trimEnd().split('\n')))
  })
}
