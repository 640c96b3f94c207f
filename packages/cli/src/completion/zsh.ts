import { allCommands, type CompletedArgument, type CompletedCommand, type CompletedOption, type Values } from './tree.ts'

/**
 * For zsh with its completion system (`compinit`): sourced, or as a file `_windlass` in a folder of `$fpath`.
 *
 * One function per command. A command with commands below it hands the words after the first operand on to the function of that
 * one; `*::` makes zsh renumber them, so that each function sees its command as the first word.
 */
export function zshScript(program: CompletedCommand): string {
  return `#compdef ${program.name}
# Completion of ${program.name} for zsh.

_${program.name}_asked() {
  local -a found=(\${(f)"$(${program.name} __complete \${@[-1]} -- $words 2>/dev/null)"})
  compadd "\${@[1,-2]}" -a found
}

${allCommands(program)
  .map((command) => (command.commands.length > 0 ? group(command) : leaf(command)))
  .join('\n\n')}

if [[ \${funcstack[1]} == _${program.name} ]]; then
  _${program.name} "$@"
else
  compdef _${program.name} ${program.name}
fi
`
}

function leaf(command: CompletedCommand): string {
  return `${functionName(command)}() {
  _arguments -s -S \\
${continued([...command.options.flatMap((option) => optionSpecs(option, command)), ...command.arguments.map((argument) => argumentSpec(argument, command))])}
}`
}

function group(command: CompletedCommand): string {
  return `${functionName(command)}() {
  local curcontext="$curcontext" state line ret=1
  local -A opt_args
  local -a commands=(
${command.commands.map(({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _arguments -s -S -C \\
${continued([...command.options.flatMap((option) => optionSpecs(option, command)), quoted('1: :->command'), quoted('*:: :->rest')])} && ret=0
  case $state in
    command) _describe -t commands command commands && ret=0 ;;
    rest)
      curcontext="\${curcontext%:*:*}:${command.path.join('-')}-$words[1]:"
      case $words[1] in
${command.commands.map((child) => `        ${child.name}) ${functionName(child)} && ret=0 ;;`).join('\n')}
      esac ;;
  esac
  return ret
}`
}

/** Each name excludes the others of the same option: once is enough. `=` lets a value follow either way. */
function optionSpecs({ names, description, value }: CompletedOption, command: CompletedCommand): readonly string[] {
  const exclusive = names.length > 1 ? `(${names.join(' ')})` : ''
  const action = value === undefined ? '' : `:${value.name}:${actionFor(value.values, command)}`
  return names.map((name) => {
    const joint = value !== undefined && name.startsWith('--') ? '=' : ''
    return quoted(`${exclusive}${name}${joint}[${escaped(description)}]${action}`)
  })
}

function argumentSpec({ name, values }: CompletedArgument, command: CompletedCommand): string {
  return quoted(`:${escaped(name)}:${actionFor(values, command)}`)
}

/** A space: nothing to offer, but the name of the value is shown. */
const actions = { file: '_files', folder: '_files -/', anything: ' ' } as const

function actionFor(values: Values, { path: [program = ''] }: CompletedCommand): string {
  if (values.kind === 'asked') return `_${program}_asked ${values.what}`
  return values.kind === 'words' ? `(${values.words.join(' ')})` : actions[values.kind]
}

const functionName = (command: CompletedCommand): string => `_${command.path.join('_')}`

const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const continued = (specs: readonly string[]): string => specs.map((spec) => `    ${spec}`).join(' \\\n')
