import { Argument, type Command } from 'commander'
import { completionScript, type Shell, shells } from '../completion/index.ts'
import type { Context } from '../context.ts'
import { examples } from './help.ts'

export function addCompletion(program: Command, { output }: Context): void {
  const command = program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that teaches a shell to complete the commands, options and values of windlass.')
    .addArgument(new Argument('<shell>', 'the shell to teach').choices(shells))
  examples(command, [
    ['source <(windlass completion bash)', 'in ~/.bashrc'],
    ['source <(windlass completion zsh)', 'in ~/.zshrc, below compinit'],
    ['windlass completion fish | source', 'in ~/.config/fish/config.fish'],
  ])
  command.action((shell: Shell) => output.print(completionScript(program, shell).trimEnd()))
}
