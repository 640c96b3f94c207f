import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { KubectlBinary } from '../../scripts/tools/kubectl.ts'

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A kubectl that is still at work. */
export interface Running {
  /** Resolves when it has printed something like this, on either stream; rejects when it ends before. */
  prints(pattern: RegExp): Promise<void>
  /** How it ended by itself. */
  readonly ended: Promise<Outcome>
  /** Ends it, and gives what it had printed by then. */
  stop(): Promise<Outcome>
}

export interface KubectlOptions {
  /** What it reads from standard input. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A template: blanks in its text separate words, values stay whole and objects become JSON. A list of one text is a command too. */
type Words = (text: readonly string[], ...values: readonly (string | number | object)[]) => Promise<string>

export interface Kubectl {
  readonly minor: number
  /** Runs it and gives what it printed. A failure fails the test. */
  readonly ok: Words
  /** Runs it, wants it to fail, and gives what it complained. */
  readonly fails: Words
  /** Runs it and gives the object it printed: `-o json` belongs to the command. */
  readonly object: (...words: Parameters<Words>) => Promise<Printed>
  readonly run: (...words: Parameters<Words>) => Promise<Outcome>
  readonly start: (...words: Parameters<Words>) => Running
  /** The same with input, or with more in its environment. */
  with(options: KubectlOptions): Kubectl
}

/** An object or a list as kubectl prints it: tests say what they look for in it. */
export interface Printed {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation: number
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly unknown[]
    readonly deletionTimestamp?: string
  }
  readonly spec: Readonly<Record<string, unknown>>
  readonly status: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, string>>
  readonly items: readonly Printed[]
}

export interface Surroundings {
  readonly kubeconfig: string
  /** Stands for the user's home: neither settings nor a discovery cache of this machine play a part. */
  readonly home: string
  /** Where it works and leaves what it leaves. */
  readonly folder: string
}

/** No command that works takes so long; one that waits for something that never comes shall not wait for the whole run. */
const patience = 30_000

export function kubectl(binary: KubectlBinary, surroundings: Surroundings, options: KubectlOptions = {}): Kubectl {
  function spawned(words: readonly string[]) {
    const { kubeconfig, home, folder } = surroundings
    // Nothing so short-lived needs to collect garbage, which costs a third of its time.
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: folder, KUBECONFIG: kubeconfig, GOGC: 'off', ...options.env }
    const child = spawn(binary.path, words, { env, cwd: folder, timeout: patience, killSignal: 'SIGKILL' })
    child.stdin.on('error', () => {}) // it may end without having read everything
    child.stdin.end(options.input ?? '')
    return watched(child, `kubectl ${words.join(' ')}`)
  }

  const run = (...words: Parameters<Words>): Promise<Outcome> => spawned(split(...words)).ended
  const describe = (words: readonly string[], { status, stdout, stderr }: Outcome): string =>
    `kubectl ${binary.version} ${words.join(' ')}\nended with status ${status}\n${stdout}\n${stderr}`

  const ok: Words = async (...words) => {
    const outcome = await run(...words)
    assert.equal(outcome.status, 0, describe(split(...words), outcome))
    return outcome.stdout
  }

  return {
    minor: binary.minor,
    ok,
    run,
    object: async (...words) => JSON.parse(await ok(...words)) as Printed,
    async fails(...words) {
      const outcome = await run(...words)
      assert.equal(outcome.status, 1, describe(split(...words), outcome))
      return outcome.stderr
    },
    start: (...words) => spawned(split(...words)),
    with: (more) => kubectl(binary, surroundings, { ...options, ...more }),
  }
}

/** `get np ${name} -o json`: a word per blank, except in values. */
function split(text: readonly string[], ...values: readonly (string | number | object)[]): readonly string[] {
  const words = ['']
  const append = (more: string): void => void (words[words.length - 1] += more)
  for (const [index, piece] of text.entries()) {
    const [first = '', ...rest] = piece.split(/\s+/)
    append(first)
    words.push(...rest)
    const value = values[index]
    if (value !== undefined) append(typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return words.filter((word, index) => word !== '' || (index > 0 && index < words.length - 1))
}

function watched(child: ReturnType<typeof spawn>, title: string): Running {
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  const notify = (): void => listeners.forEach((listener) => listener())
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
    notify()
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    notify()
  })
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, stdout, stderr }))
  })
  return {
    ended,
    async prints(pattern) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => {
        if (pattern.test(stdout) || pattern.test(stderr)) resolve()
      }
      listeners.add(look)
      look()
      const outcome = await Promise.race([promise, ended])
      listeners.delete(look)
      if (outcome !== undefined && !pattern.test(outcome.stdout) && !pattern.test(outcome.stderr))
        assert.fail(`${title} ended with status ${outcome.status} and never printed ${pattern}\n${outcome.stdout}\n${outcome.stderr}`)
    },
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** A printed table, a record per line: cells by the heading they stand under, empty ones too. */
export function table(text: string): readonly Readonly<Record<string, string>>[] {
  const [heading = '', ...lines] = text.trimEnd().split('\n')
  // Columns are at least three blanks apart; a heading may have single ones in it.
  const columns = [...heading.matchAll(/\S+(?: \S+)*/g)].map((match) => ({ name: match[0], start: match.index }))
  return lines.map((line) =>
    Object.fromEntries(columns.map(({ name, start }, index) => [name, line.slice(start, columns[index + 1]?.start).trim()])),
  )
}
