import { isArray, isObject, type Json } from '../json.ts'
import type { ListType } from './field-type.ts'

/** How fields and list elements are called: on the wire (`k:{"port":80}`) and in messages (`[port=80]`). */

/** Most names are those of a few schemas. Putting one together anew each time costs more than the rest of a comparison. */
const fieldElements = new Map<string, string>()
const mostFieldElements = 10_000

export function fieldElement(name: string): string {
  let element = fieldElements.get(name)
  if (element === undefined) {
    element = `f:${name}`
    if (fieldElements.size < mostFieldElements) fieldElements.set(name, element)
  }
  return element
}

/**
 * The element's name in its list, or what keeps it from having one. Keys that an element leaves out take the default that the schema gives
 * them.
 */
export function itemElement(list: ListType, item: Json): string | ItemProblem {
  if (list.keys.length === 0) {
    if (isObject(item)) return new ItemProblem("associative list without keys has an element that's a map type")
    if (isArray(item)) return new ItemProblem('not supported: associative list with lists as elements')
    if (item === null) return new ItemProblem("associative list without keys has an element that's an explicit null")
    return `v:${scalarText(item)}`
  }
  if (item === null) return new ItemProblem('associative list with keys may not have a null element')
  if (!isObject(item)) return new ItemProblem('associative list with keys may not have non-map elements')
  let text = ''
  for (const key of list.keys) {
    const value = item[key] ?? list.defaults[key]
    if (value === undefined) {
      return new ItemProblem(
        `associative list with keys has an element that omits key field ${JSON.stringify(key)} (and doesn't have default value)`,
      )
    }
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${scalarText(value)}`
  }
  return `k:{${text}}`
}

/** Why a list element cannot be told from the others. */
export class ItemProblem {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

function scalarText(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'object' ? canonical(value) : JSON.stringify(value)
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))
}

/** `.spec.ports[port=80,protocol="TCP"].name`: a path as messages show it. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('')
}

export function elementText(element: string): string {
  const body = element.slice(2)
  if (element.startsWith('f:')) return `.${body}`
  if (element.startsWith('v:')) return `[=${body}]`
  if (element.startsWith('i:')) return `[${body}]`
  const keys = parsed(body)
  if (!isObject(keys)) return `[${body}]`
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${scalarText(value)}`)
    .join(',')}]`
}

/**
 * A path element that a client wrote, in our spelling: keys sorted, no spaces. `undefined` for kinds of elements that we do not know, which
 * are ignored; throws when one cannot be read.
 */
export function normalElement(element: string): string | undefined {
  const body = element.slice(2)
  if (element.startsWith('f:')) return element
  if (element.startsWith('i:')) return element
  if (element.startsWith('v:')) return `v:${scalarText(readable(body))}`
  if (!element.startsWith('k:')) return undefined
  const keys = readable(body)
  if (!isObject(keys)) throw new SyntaxError(`unreadable list key: ${element}`)
  const text = Object.keys(keys)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${scalarText(keys[key] ?? null)}`)
  return `k:{${text.join(',')}}`
}

function readable(text: string): Json {
  const value = parsed(text)
  if (value === undefined) throw new SyntaxError(`unreadable path element: ${text}`)
  return value
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
