import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { root } from './snippets.ts'

/** The folder that stands for the reader's checkout in what documents show. */
const shownFolder = '/home/you/windlass'

/** What a checkout has that commands and imports of documents rely on. */
const parts = ['package.json', 'node_modules', 'packages', 'deploy', 'docs']

/** A folder that looks like a fresh checkout: what is written in it by the way is not written into this one. */
export function aCheckout(): { readonly folder: string; readonly remove: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'windlass-docs-')))
  for (const part of parts) symlinkSync(join(root, part), join(folder, part))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** An environment in which nobody's settings play a part. */
export function surroundings(folder: string): NodeJS.ProcessEnv {
  const home = join(folder, '.home')
  mkdirSync(home)
  return { PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, HOME: home, npm_config_update_notifier: 'false' }
}

export interface Server {
  /** What it had said when it was ready. */
  readonly welcome: string
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>
}

/** Runs files as tests, all in one process, and gives how many of their tests passed and what was printed. */
export async function runTestFiles(
  files: readonly string[],
  folder: string,
): Promise<{ readonly passed: number; readonly failed: number; readonly output: string }> {
  // Node tells the tests it runs that they are; told so, another runner would run nothing and call it success.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--test', '--test-isolation=none', '--test-reporter=tap', '--test-timeout=30000', ...files]
  const output = await printed(spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const count = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? Number.NaN)
  return { passed: count('pass'), failed: count('fail'), output }
}

/** Runs `npm start`, as the first minute of every reader does. The signal ends it, whatever it is doing. */
export async function npmStart(folder: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Server> {
  // Ctrl-C reaches everything that a terminal runs: the group stands for it.
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const kill = (how: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, how)
  }
  signal.addEventListener('abort', () => kill('SIGKILL'), { once: true })
  let said = ''
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (said.includes('Ctrl-C')) resolve()
    })
    void ended.then(() => reject(new Error(`npm start ended: ${said}${complaints}`)))
  })
  return {
    welcome: said.replaceAll(/^> .*\n/gm, '').replaceAll(/^ *\(port \d+ is in use, so it took a free one\)\n/gm, ''),
    async stop() {
      kill('SIGINT')
      await ended
    },
  }
}

const separator = '\u0001'

/** Runs commands in one shell, one after the other, and gives what each printed on either stream. */
export async function runCommands(commands: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const script = commands.map((command) => `${command}\nprintf '${separator}'\n`).join('')
  const output = await printed(spawn('bash', ['-c', `exec 2>&1\n${script}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  return output.split(separator).slice(0, commands.length)
}

/** Everything that a program prints until it ends. */
function printed(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}

/** What two runs of one command have in common: ports, ages, secrets and folders differ, and so do the widths of columns. */
export function comparable(output: string, folder: string): string {
  return output
    .replaceAll(folder, shownFolder)
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:6443')
    .replaceAll(/#code=[\w-]+/g, '#code=secret')
    .replaceAll(/(?<=\s)(\d+[dhms]){1,2}$/gm, '<age>')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/ +$/gm, '')
    .trim()
}
