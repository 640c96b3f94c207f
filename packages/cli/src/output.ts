/** What people read. Results go to stdout, so that they can be piped; everything about what went wrong goes to stderr. */
export interface Output {
  /** Writes a result, with a line end. */
  print(text: string): void
  /** Writes what went wrong, with a line end. */
  complain(text: string): void
}

/** The process's own streams. A reader that has gone away (`windlass completion bash | head -1`) is no failure of ours. */
export function streamOutput(out: NodeJS.WritableStream, err: NodeJS.WritableStream): Output {
  for (const stream of [out, err]) stream.on('error', () => {})
  return {
    print: (text) => void out.write(`${text}\n`),
    complain: (text) => void err.write(`${text}\n`),
  }
}

/** A word for a POSIX shell: quoted only where it must be, so that people can read the line they copy. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
