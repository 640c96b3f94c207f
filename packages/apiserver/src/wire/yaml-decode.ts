import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  Parser,
  type ScalarTag,
  type Tags,
} from 'yaml'
import type { Json, MutableObject } from '../json.ts'
import { UnreadableBody } from './unreadable-body.ts'
import type { Decoded, DecodeOptions } from './decoded.ts'
import { decodeJson, exactInteger } from './json-decode.ts'
import { deepestNesting } from './json-scan.ts'

/** Tags of YAML 1.1 that Go's reader leaves as texts or plain maps: `2026-01-01`, `!!set`. So does it with `1:30` (format TIME). */
const unresolved: ReadonlySet<string> = new Set(['timestamp', 'set', 'omap', 'pairs'].map((name) => `tag:yaml.org,2002:${name}`))

/** `0o644`, the octal of YAML 1.2, which Go reads in 1.1 too. */
const modernOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => {
    const value = BigInt(text.replace(/^[-+]/, '').replaceAll('_', ''))
    return text.startsWith('-') ? -value : value
  },
}

function goTags(tags: Tags): Tags {
  const known = tags.filter((tag) => typeof tag === 'string' || !(unresolved.has(tag.tag) || ('format' in tag && tag.format === 'TIME')))
  return [modernOctal, ...known]
}

/** Aliases that one document may expand to: more is an attempt to blow up memory. */
const mostAliases = 100

/**
 * Reads YAML 1.1 as Go does (`yes` and `on` are true, `0777` is octal) into JSON. Of several documents only the first counts, as in
 * a real server. Text that is JSON, which is what clients send as `application/apply-patch+yaml`, takes the fast way.
 *
 * Errors: UnreadableBody (400), its problem starting with `yaml: `.
 */
export function decodeYaml(text: Buffer | string, options: DecodeOptions = {}): Decoded {
  const source = typeof text === 'string' ? text : text.toString('utf8')
  return decodeAsJson(source, options) ?? decodeAsYaml(source, options)
}

function decodeAsJson(source: string, options: DecodeOptions): Decoded | undefined {
  if (!/^\s*\{/.test(source)) return undefined
  try {
    const decoded = decodeJson(source, options)
    return decoded.duplicates.length === 0 ? { ...decoded, format: 'yaml' } : undefined
  } catch (error) {
    if (error instanceof UnreadableBody) return undefined
    throw error
  }
}

function decodeAsYaml(source: string, options: DecodeOptions): Decoded {
  const lines = new LineCounter()
  try {
    const document = firstDocument(source, lines)
    const problem = document?.errors[0]
    if (document === undefined) return { value: null, duplicates: [], complaints: [], format: 'yaml' }
    if (problem !== undefined) {
      const line = lines.linePos(problem.pos[0]).line
      throw new UnreadableBody(`yaml: line ${line}: ${firstLine(problem.message)}`)
    }
    const repeated = options.findDuplicates === true ? repeatedKeys(document, lines) : []
    const value = toJson(document.toJS({ maxAliasCount: mostAliases }), 0)
    return { value, duplicates: repeated.map(({ path }) => path), complaints: repeated.map(({ text }) => text), format: 'yaml' }
  } catch (error) {
    if (error instanceof UnreadableBody) throw error
    // The reader recurses: a document that nests too deep ends its stack, one with too many aliases is refused by name.
    if (error instanceof RangeError) throw new UnreadableBody('yaml: exceeded max depth')
    throw new UnreadableBody(`yaml: ${firstLine(error instanceof Error ? error.message : String(error))}`)
  }
}

function firstDocument(source: string, lines: LineCounter): Document.Parsed | undefined {
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer({ version: '1.1', merge: true, uniqueKeys: false, intAsBigInt: true, customTags: goTags })
  for (const document of composer.compose(parser.parse(source))) return document
  return undefined
}

/** Turns what the reader made into JSON: exact integers, text keys, nothing that JSON cannot say. */
function toJson(value: unknown, depth: number): Json {
  if (depth > deepestNesting) throw new UnreadableBody('yaml: exceeded max depth')
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return exactInteger(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new UnreadableBody(`yaml: json: unsupported value: ${value}`)
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  const object: MutableObject = {}
  for (const [key, item] of Object.entries(value)) if (key !== '__proto__') object[key] = toJson(item, depth + 1)
  return object
}

interface Repeated {
  readonly path: string
  readonly text: string
}

function repeatedKeys(document: Document.Parsed, lines: LineCounter): readonly Repeated[] {
  const found: Repeated[] = []
  const visit = (node: unknown, path: string): void => {
    if (isSeq(node)) node.items.forEach((item, index) => visit(item, `${path}[${index}]`))
    if (!isMap<ParsedNode, ParsedNode | null>(node)) return
    const seen = new Set<string>()
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : isAlias(key) ? `*${key.source}` : ''
      const here = path === '' ? name : `${path}.${name}`
      if (seen.has(name) && name !== '<<') {
        const line = lines.linePos(key.range[0]).line
        found.push({ path: here, text: `line ${line}: key ${JSON.stringify(name)} already set in map` })
      }
      seen.add(name)
      visit(value, here)
    }
  }
  visit(document.contents, '')
  return found
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').replace(/:$/, '')
}
