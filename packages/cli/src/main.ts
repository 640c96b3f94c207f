import { systemClock } from '@windlass/core'
import { Command } from 'commander'
import { addApiserver } from './commands/apiserver.ts'
import { addCompact } from './commands/compact.ts'
import { addCompletion } from './commands/completion.ts'
import { examples } from './commands/help.ts'
import { addHistory } from './commands/history.ts'
import { addOperator } from './commands/operator.ts'
import { addSimulator } from './commands/simulator.ts'
import { addStatus } from './commands/status.ts'
import { addUp } from './commands/up.ts'
import { addVersion } from './commands/version.ts'
import type { Context } from './context.ts'
import { explainFailure, ExitStatus } from './failures.ts'
import { streamOutput } from './output.ts'
import { version } from './version.ts'

/** The world as it is. */
export const systemContext: Context = {
  output: streamOutput(process.stdout, process.stderr),
  clock: systemClock,
  process,
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
  addStatus(program, context)
  addHistory(program, context)
  addCompact(program, context)
  addVersion(program, context)
  addCompletion(program, context)
  return program
}
