import { allCommands, type CompletedCommand, type Values } from './tree.ts'

/**
 * For bash 3.2 and newer, with or without the bash-completion package.
 *
 * The words before the cursor are walked once to find the command they have led to: a value of an option may look like a command
 * (`--data-dir up`). Readline cuts `--port=1` into three words, hence the look behind a `=`.
 */
export function bashScript(program: CompletedCommand): string {
  const { name } = program
  const commands = allCommands(program)
  return `# Completion of ${name} for bash.

_${name}_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$current")
}

_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=${quoted(name)} index operands=0
  COMPREPLY=()
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
      ${commands.flatMap(descents).join('\n      ')}
      ${commands.flatMap(skippedValues).join('\n      ')}
      *' '-*) ;;
      *) ((operands++)) ;;
    esac
  done
  case "$command $previous" in
    ${commands.flatMap((command) => valueBranches(name, command)).join('\n    ')}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
      ${commands.map((command) => optionBranch(name, command)).join('\n      ')}
    esac
    return
  fi
  case "$command $operands" in
    ${commands.flatMap((command) => operandBranches(name, command)).join('\n    ')}
  esac
}

complete -F _${name} ${name}
`
}

/** A command below this one: from there on its options count. */
function descents(command: CompletedCommand): readonly string[] {
  return command.commands.map((child) => branch([place(command, child.name)], [`command=${quoted(place(child))} operands=0`]))
}

/** Options with a value: the word after them is neither a command nor an operand. */
function skippedValues(command: CompletedCommand): readonly string[] {
  const patterns = command.options.flatMap(({ names, value }) => (value === undefined ? [] : names.map((name) => place(command, name))))
  return patterns.length === 0 ? [] : [branch(patterns, ['((index++))', `[[ \${COMP_WORDS[index]} == = ]] && ((index++))`])]
}

function valueBranches(program: string, command: CompletedCommand): readonly string[] {
  return command.options.flatMap(({ names, value }) => {
    const patterns = names.map((name) => place(command, name))
    return value === undefined ? [] : [branch(patterns, [...offer(program, value.values), 'return'])]
  })
}

function optionBranch(program: string, command: CompletedCommand): string {
  const names = command.options.flatMap((option) => option.names)
  return branch([place(command)], offer(program, { kind: 'words', words: names }))
}

/** What may stand at the first place, the second, and so on: commands, or what the command takes. */
function operandBranches(program: string, command: CompletedCommand): readonly string[] {
  const children = { kind: 'words', words: command.commands.map(({ name }) => name) } as const
  const operands: readonly Values[] = command.commands.length > 0 ? [children] : command.arguments.map(({ values }) => values)
  return operands.map((values, position) => branch([place(command, String(position))], offer(program, values)))
}

const onDisk = { file: '-f', folder: '-d' } as const

function offer(program: string, values: Values): readonly string[] {
  if (values.kind === 'words') return [`_${program}_reply -W ${quoted(values.words.join(' '))}`]
  if (values.kind === 'asked') {
    return [`_${program}_reply -W "$("\${COMP_WORDS[0]}" __complete ${values.what} -- "\${COMP_WORDS[@]:1}" 2>/dev/null)"`]
  }
  if (values.kind === 'anything') return []
  return ['compopt -o filenames 2>/dev/null', `_${program}_reply ${onDisk[values.kind]}`]
}

function branch(patterns: readonly string[], statements: readonly string[]): string {
  return `${patterns.map(quoted).join(' | ')}) ${statements.length === 0 ? '' : `${statements.join('; ')} `};;`
}

const place = (command: CompletedCommand, word?: string): string => [...command.path, ...(word === undefined ? [] : [word])].join(' ')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
