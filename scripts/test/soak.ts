import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

interface Soak {
  readonly file: string
  /** What their names have in them. They run as in `npm test`, but for the number of seeds, and without a limit of time. */
  readonly tests: string
  readonly seeds: number
}

const soaks: Readonly<Record<string, Soak>> = {
  toolkit: { file: 'packages/kube/src/simulation/convergence.test.ts', tests: 'Determinism rule', seeds: 300 },
  'control-plane-version': { file: 'packages/hosted/src/control-plane-version/fleet.test.ts', tests: 'whatever is asked for', seeds: 500 },
  'node-pools': { file: 'packages/hosted/src/node-pool/simulation/faults.test.ts', tests: 'NP-70', seeds: 500 },
  upgrades: { file: 'packages/upgrades/src/simulation/faults.test.ts', tests: 'whatever goes wrong', seeds: 500 },
  lifecycle: { file: 'packages/hosted/src/lifecycle.test.ts', tests: 'whatever goes wrong', seeds: 500 },
}

/** Runs the named soaks (all without a name), one after the other, until one fails; gives the exit status. */
export async function runSoaks(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => !Object.hasOwn(soaks, arg))
  if (unknown.length > 0) {
    process.stderr.write(`unknown soak ${unknown.join(', ')}: there are ${Object.keys(soaks).join(', ')}\n`)
    return 2
  }
  for (const [name, soak] of Object.entries(soaks)) {
    if (args.length > 0 && !args.includes(name)) continue
    const status = await run(name, soak)
    if (status !== 0) return status
  }
  return 0
}

/** As many processes as there are cores share the seeds. `WINDLASS_SEEDS` takes more or fewer than usual, or a range: `251-500`. */
async function run(name: string, { file, tests, seeds }: Soak): Promise<number> {
  const [first, last] = rangeOf(process.env['WINDLASS_SEEDS'] ?? String(seeds))
  const count = last - first + 1
  const shares = Math.min(availableParallelism(), count)
  process.stdout.write(`soak ${name}: seeds ${first} to ${last} of ${file}, in ${shares} processes\n`)
  const cut = (share: number): number => first + Math.round((count * share) / shares)
  const args = ['--import', join(import.meta.dirname, 'plain', 'register.ts'), file]
  const statuses = await Promise.all(
    Array.from({ length: shares }, (_, share) => {
      const env = { ...process.env, WINDLASS_TESTS: tests, WINDLASS_SEEDS: `${cut(share)}-${cut(share + 1) - 1}` }
      const child = spawn(process.execPath, args, { stdio: 'inherit', env })
      return new Promise<number>((resolve) => {
        child.on('exit', (code) => resolve(code ?? 1))
      })
    }),
  )
  return Math.max(...statuses)
}

function rangeOf(text: string): readonly [number, number] {
  const [, first, last] = /^(?:(\d+)-)?(\d+)$/.exec(text) ?? []
  if (last === undefined || Number(last) < Number(first ?? 1)) {
    throw new Error(`WINDLASS_SEEDS is "${text}": expected how many, or the first and the last: 251-500`)
  }
  return [Number(first ?? 1), Number(last)]
}
