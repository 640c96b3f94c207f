import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { read, root } from './snippets.ts'

/** Links of a document that lead nowhere, and paths of this project that it names although they do not exist. */
export function brokenReferences(document: string): readonly string[] {
  const prose = read(document).replaceAll(/^```[\s\S]*?^```$/gm, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^https?:/.test(target))
  const paths = [...prose.matchAll(/`((?:packages|scripts|test|docs|deploy|bench)\/[^`\s*<…]+)`/g)].map(([, path = '']) => path)
  return [...links.filter((target) => !leadsSomewhere(document, target)), ...paths.filter((path) => !existsSync(join(root, path)))]
}

function leadsSomewhere(document: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? document : join(dirname(document), file)
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || anchorsOf(read(path)).has(anchor)
}

/** As GitHub makes them: lower case, blanks become dashes, punctuation goes. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}
