import type { Command } from 'commander'

/** Commands to copy, below the help: what to type, and what it does. A wrong command line points to that help. */
export function examples(command: Command, lines: readonly (readonly [line: string, effect: string])[]): void {
  const width = Math.max(...lines.map(([line]) => line.length))
  const text = lines.map(([line, effect]) => `  ${line.padEnd(width)}  ${effect}`).join('\n')
  command.addHelpText('after', `\nExamples:\n${text}`)
  command.showHelpAfterError(`Run '${fullName(command)} --help' to see what it takes.`)
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}
