import type { Argument, Command, Option } from 'commander'

/** Names that only the clusters know, or the kubeconfig: `windlass __complete` finds them out. */
export const askedNames = ['clusters', 'pools', 'contexts'] as const
export type Asked = (typeof askedNames)[number]

/** What may stand in a place: one of some words, a name that has to be asked for, something on disk, or what only the user knows. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly what: Asked }
  | { readonly kind: 'file' | 'folder' | 'anything' }

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
  const value =
    placeholder === undefined ? {} : { value: { name: placeholder, values: valuesOf(placeholder, option.argChoices, option.long) } }
  return { names, description: option.description, ...value }
}

/** `help` takes the name of a command beside it; commander does not say so. */
function completedArgument(argument: Argument, known: readonly string[] | undefined): CompletedArgument {
  const name = argument.name()
  return { name, values: valuesOf(name, argument.argChoices ?? known) }
}

const asked: Readonly<Record<string, Asked>> = { cluster: 'clusters', '--cluster': 'clusters', pool: 'pools', '--context': 'contexts' }

/** The name in the help says what is meant, or that of the option: `--kubeconfig <file>`, `--data-dir <folder>`, `--context <name>`. */
function valuesOf(placeholder: string, choices: readonly string[] | undefined, option = ''): Values {
  if (choices !== undefined) return { kind: 'words', words: choices }
  const what = asked[option] ?? asked[placeholder]
  if (what !== undefined) return { kind: 'asked', what }
  return { kind: placeholder === 'file' || placeholder === 'folder' ? placeholder : 'anything' }
}
