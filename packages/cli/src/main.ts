import { systemClock } from '@windlass/core'
import { Command } from 'commander'
import { addApiserver } from './commands/apiserver.ts'
import { addCompact } from './commands/compact.ts'
import { addCompletion } from './commands/completion.ts'
import { examples } from './commands/help.ts'
import { addComplete } from './commands/complete.ts'
import { addCreate } from './commands/create.ts'
import { addDashboard } from './commands/dashboard.ts'
import { addEvents } from './commands/events.ts'
import { addExposure } from './commands/exposure.ts'
import { addFleet } from './commands/fleet.ts'
import { addHistory } from './commands/history.ts'
import { addOperator } from './commands/operator.ts'
import { addScale } from './commands/scale.ts'
import { addSimulator } from './commands/simulator.ts'
import { addSkew } from './commands/skew.ts'
import { addStatus } from './commands/status.ts'
import { addUp } from './commands/up.ts'
import { addUpgrade } from './commands/upgrade.ts'
import { addVersion } from './commands/version.ts'
import { addWhy } from './commands/why.ts'
import type { Context } from './context.ts'
import { explainFailure, ExitStatus } from './failures.ts'
import { streamOutput } from './output.ts'
import { version } from './version.ts'

/** The world as it is. */
export const systemContext: Context = {
  output: streamOutput(process.stdout, process.stderr),
  clock: systemClock,
  process,
  get confirm() {
    return process.stdin.isTTY && process.stdout.isTTY ? confirmAtTerminal : undefined
  },
}

async function confirmAtTerminal(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

/** Runs one command line and gives the exit status. Never throws: every failure is a sentence on stderr. */
export async function main(args: readonly string[], context: Context): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' })
    return ExitStatus.success
  } catch (error) {
    const { status, sentence } = explainFailure(error)
    if (sentence !== undefined) context.output.complain(`windlass: ${sentence}`)
    return status
  }
}

/** All commands. Settings made before the first `add…` hold for every one of them. */
export function createProgram(context: Context): Command {
  const { output } = context
  const program = new Command('windlass')
    .description('Upgrades for fleets of OpenShift clusters, and a Kubernetes API on your laptop to rehearse them.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    // What stands behind a command is that command's: --version of windlass fleet is another question.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => output.complain(text.trimEnd()),
      outputError: (text, write) => write(`windlass: ${text.replace(/^error: /, '')}`),
    })
  examples(program, [
    ['windlass up', 'a fleet of simulated clusters to try upgrades on, in this folder'],
    ['windlass up --help', 'what else it takes'],
    ['source <(windlass completion bash)', 'completion for this shell'],
  ])
  addUp(program, context)
  addApiserver(program, context)
  addOperator(program, context)
  addSimulator(program, context)
  addDashboard(program, context)
  addFleet(program, context)
  addWhy(program, context)
  addExposure(program, context)
  addEvents(program, context)
  addStatus(program, context)
  addHistory(program, context)
  addSkew(program, context)
  addUpgrade(program, context)
  addCreate(program, context)
  addScale(program, context)
  addCompact(program, context)
  addVersion(program, context)
  addCompletion(program, context)
  addComplete(program, context)
  return program
}
