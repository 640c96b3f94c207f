import { allCommands, type CompletedCommand, type CompletedOption, type Values } from './tree.ts'

/**
 * For fish 3.0 and newer. One helper says which command the words before the cursor have led to and how many operands it has; every
 * other line offers something in one of those places. A value of an option may look like a command (`--data-dir up`), so the
 * helper steps over values.
 */
export function fishScript(program: CompletedCommand): string {
  const commands = allCommands(program)
  const valued = commands.flatMap((command) =>
    command.options.flatMap(({ names, value }) => (value === undefined ? [] : names.map((name) => quoted(place(command, name))))),
  )
  return `# Completion of ${program.name} for fish.

function __${program.name}_place
    set -l command ${quoted(place(program))}
    set -l operands 0
    set -l is_value no
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $is_value = yes
            set is_value no
            continue
        end
        switch "$command $word"
${commands.flatMap((command) => command.commands.map((child) => step(command, child))).join('\n')}
            case ${valued.join(' ')}
                set is_value yes
            case '* -*'
            case '*'
                set operands (math $operands + 1)
        end
    end
    echo "$command $operands"
end

function __${program.name}_in
    string match -qr -- "^$argv[1] [0-9]+\\$" (__${program.name}_place)
end

function __${program.name}_at
    test (__${program.name}_place) = "$argv[1]"
end

complete -c ${program.name} -f
${commands.flatMap((command) => [...operandLines(program, command), ...command.options.map((option) => optionLine(program, command, option))]).join('\n')}
`
}

function step(command: CompletedCommand, child: CompletedCommand): string {
  return `            case ${quoted(place(command, child.name))}
                set command ${quoted(place(child))}
                set operands 0`
}

function operandLines(program: CompletedCommand, command: CompletedCommand): readonly string[] {
  const at = (position: number): string =>
    `complete -c ${program.name} -n ${quoted(`__${program.name}_at ${quoted(place(command, String(position)))}`)}`
  if (command.commands.length > 0) {
    return command.commands.map(({ name, description }) => `${at(0)} -a ${quoted(name)} -d ${quoted(description)}`)
  }
  return command.arguments.flatMap(({ values }, position) =>
    values.kind === 'anything' ? [] : [`${at(position)} ${offer(values, program)}`],
  )
}

function optionLine(program: CompletedCommand, command: CompletedCommand, { names, description, value }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const condition = quoted(`__${program.name}_in ${quoted(place(command))}`)
  const parts = [
    `complete -c ${program.name} -n ${condition}`,
    ...flags,
    ...(value === undefined ? [] : [`-r ${offer(value.values, program)}`]),
  ]
  return `${parts.join(' ').trimEnd()} -d ${quoted(description)}`
}

const offers = { file: '-F', folder: `-f -a '(__fish_complete_directories)'`, anything: '-f' } as const

function offer(values: Values, { name }: CompletedCommand): string {
  if (values.kind === 'asked')
    return `-f -a ${quoted(`(${name} __complete ${values.what} -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)`)}`
  return values.kind === 'words' ? `-f -a ${quoted(values.words.join(' '))}` : offers[values.kind]
}

const place = (command: CompletedCommand, word?: string): string => [...command.path, ...(word === undefined ? [] : [word])].join(' ')

/** In fish's single quotes a backslash escapes a quote and itself. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
