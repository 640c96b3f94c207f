import type { Argument, Command, Option } from 'commander'

/** What may stand in a place: one of some words, something on disk, or what only the user knows. */
export type Values = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'file' | 'folder' | 'anything' }

export interface CompletedOption {
  /** `-o`, `--output`: the short one first. */
  readonly names: readonly string[]
  readonly description: string
  /** What follows it; absent for one that stands alone. `name` is how the help calls it. */
  readonly value?: { readonly name: string; readonly values: Values }
}

export interface CompletedArgument {
  readonly name: string
  readonly values: Values
}

export interface CompletedCommand {
  readonly name: string
  /** From the program down: `['windlass', 'up']`. */
  readonly path: readonly string[]
  readonly description: string
  readonly options: readonly CompletedOption[]
  readonly arguments: readonly CompletedArgument[]
  readonly commands: readonly CompletedCommand[]
}

/** The program and everything below it, with the help that commander adds by itself. */
export function completionTree(program: Command): CompletedCommand {
  return completedCommand(program, [], [])
}

function completedCommand(command: Command, parents: readonly string[], siblings: readonly string[]): CompletedCommand {
  const help = command.createHelp()
  const path = [...parents, command.name()]
  const children = help.visibleCommands(command)
  const names = children.map((child) => child.name())
  return {
    name: command.name(),
    path,
    description: help.subcommandDescription(command),
    options: help.visibleOptions(command).map(completedOption),
    arguments: command.registeredArguments.map((argument) => completedArgument(argument, command.name() === 'help' ? siblings : undefined)),
    commands: children.map((child) => completedCommand(child, path, names)),
  }
}

/** All commands that can be typed, the program itself first. */
export function allCommands(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

function completedOption(option: Option): CompletedOption {
  const names = [option.short, option.long].filter((name) => name !== undefined)
  const placeholder = /[<[]([^>\]]+)/.exec(option.flags)?.[1]
  const value = placeholder === undefined ? {} : { value: { name: placeholder, values: valuesOf(placeholder, option.argChoices) } }
  return { names, description: option.description, ...value }
}

/** `help` takes the name of a command beside it; commander does not say so. */
function completedArgument(argument: Argument, known: readonly string[] | undefined): CompletedArgument {
  const name = argument.name()
  return { name, values: valuesOf(name, argument.argChoices ?? known) }
}

/** The name in the help says what is meant: `--kubeconfig <file>`, `--data-dir <folder>`. */
function valuesOf(placeholder: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { kind: 'words', words: choices }
  return { kind: placeholder === 'file' || placeholder === 'folder' ? placeholder : 'anything' }
}
