/** What people read. Results go to stdout, so that they can be piped; everything about what went wrong goes to stderr. */
export interface Output {
  /** Writes a result, with a line end. */
  print(text: string): void
  /** Writes what went wrong, with a line end. */
  complain(text: string): void
  /** Where results go is a screen that somebody looks at; undefined when they go to a file or to another program. */
  readonly terminal?: Terminal | undefined
}

/** How much a screen shows. It changes when somebody pulls at the window. */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  /** Whether it shows colours, and whoever looks wants them: `NO_COLOR` says no. */
  readonly hasColours?: boolean
}

/** The process's own streams. A reader that has gone away (`windlass completion bash | head -1`) is no failure of ours. */
export function streamOutput(out: NodeJS.WritableStream, err: NodeJS.WritableStream): Output {
  for (const stream of [out, err]) stream.on('error', () => {})
  return {
    print: (text) => void out.write(`${text}\n`),
    complain: (text) => void err.write(`${text}\n`),
    get terminal() {
      return terminalOf(out)
    },
  }
}

function terminalOf(stream: NodeJS.WritableStream): Terminal | undefined {
  if (!('isTTY' in stream && stream.isTTY === true)) return undefined
  const size = (name: 'columns' | 'rows'): number | undefined => {
    const value: unknown = Reflect.get(stream, name)
    return typeof value === 'number' && value > 0 ? value : undefined
  }
  const hasColors: unknown = Reflect.get(stream, 'hasColors')
  const hasColours = typeof hasColors === 'function' && hasColors.call(stream) === true
  return { columns: size('columns') ?? 80, rows: size('rows') ?? 24, hasColours }
}

/** A word for a POSIX shell: quoted only where it must be, so that people can read the line they copy. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
