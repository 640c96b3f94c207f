import { spawn } from 'node:child_process'

interface Soak {
  readonly file: string
  /** As in `npm test`, but for the number of seeds. */
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

/** `WINDLASS_SEEDS` takes more or fewer seeds than usual. */
function run(name: string, { file, tests, seeds }: Soak): Promise<number> {
  const count = process.env['WINDLASS_SEEDS'] ?? String(seeds)
  process.stdout.write(`soak ${name}: ${count} seeds of ${file}\n`)
  const args = ['--test', '--test-isolation=none', `--test-name-pattern=${tests}`, file]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, WINDLASS_SEEDS: count } })
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
