import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Everything that people read. */
export const documents: readonly string[] = globSync(['*.md', 'docs/*.md', 'docs/guides/*.md', 'docs/runbooks/*.md'], {
  cwd: root,
}).toSorted()

/** A fenced block. */
export interface Snippet {
  readonly language: string
  /** It says so of itself: ```` ```ts run ````. */
  readonly isRunnable: boolean
  readonly text: string
  /** The heading it stands under. */
  readonly heading: string
  /** Of its first line in the document. */
  readonly line: number
}

/** A command of a console block, and what the reader is told it prints. */
export interface Step {
  readonly command: string
  readonly output: string
}

export function read(document: string): string {
  return readFileSync(join(root, document), 'utf8')
}

export function runnableSnippets(markdown: string): readonly Snippet[] {
  return fencedBlocks(markdown).filter(({ isRunnable }) => isRunnable)
}

/** Headings inside of blocks are not headings, so it walks line by line. */
export function fencedBlocks(markdown: string): readonly Snippet[] {
  const snippets: Snippet[] = []
  let heading = ''
  let open: { readonly language: string; readonly isRunnable: boolean; readonly line: number; readonly lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*) ?(.*)$/.exec(line)
    if (open !== undefined) {
      if (fence === null) {
        open.lines.push(line)
        continue
      }
      const { lines, ...block } = open
      snippets.push({ ...block, text: `${lines.join('\n')}\n`, heading })
      open = undefined
    } else if (fence === null) {
      heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    } else {
      open = { language: fence[1] ?? '', isRunnable: fence[2] === 'run', line: index + 2, lines: [] }
    }
  }
  return snippets
}

/** `$ command`, then what it prints, and so on. */
export function stepsOf({ text }: Pick<Snippet, 'text'>): readonly Step[] {
  const [before = '', ...parts] = `\n${text}`.split('\n$ ')
  if (before.trim() !== '') throw new Error(`a console block begins with a command, not with ${JSON.stringify(before)}`)
  return parts.map((part) => {
    const end = part.indexOf('\n')
    return end < 0 ? { command: part, output: '' } : { command: part.slice(0, end), output: part.slice(end + 1) }
  })
}
