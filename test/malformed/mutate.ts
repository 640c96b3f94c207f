import type { Random } from '@windlass/core'
import { headers, methods, nastyString, nastyValue, parameters, pick, segments, withRawTokens } from './nasty.ts'
import { protobuf } from './protobuf.ts'
import type { Request } from './request.ts'
import type { Template } from './valid.ts'
import { clusterPrefix } from './subjects.ts'

/** Makes requests that are nearly right: valid ones with one to three things wrong. The same seed makes the same ones. */
export class Mutator {
  readonly #random: Random
  readonly #templates: readonly Template[]

  constructor(random: Random, templates: readonly Template[]) {
    this.#random = random
    this.#templates = templates
  }

  next(): Request {
    const random = this.#random
    const template = pick(random, this.#templates)
    let { body, method } = template
    let path = random.below(4) === 0 ? clusterPrefix + template.path : template.path
    let query = Object.entries(template.query ?? {})
    let all: Record<string, string> = {
      'content-type': template.type ?? 'application/json',
      'user-agent': 'fuzz/1',
      ...template.headers,
    }
    let breakText = false
    let encoding: 'json' | 'yaml' | 'protobuf' = 'json'
    for (let count = 1 + random.below(3); count > 0; count--) {
      const dice = random.below(20)
      if (dice < 9 && body !== undefined) body = this.#value(body)
      else if (dice < 12 && body !== undefined) breakText = true
      else if (dice < 14) path = this.#path(path)
      else if (dice < 17) query = this.#query(query)
      else if (dice < 19) all = this.#headers(all)
      else if (random.below(3) > 0) method = pick(random, methods)
      else encoding = pick(random, ['yaml', 'protobuf'])
    }
    if (encoding !== 'json')
      all = { ...all, 'content-type': encoding === 'yaml' ? 'application/yaml' : 'application/vnd.kubernetes.protobuf' }
    const bytes =
      body === undefined ? undefined : encoding === 'protobuf' ? protobuf(body) : Buffer.from(withRawTokens(JSON.stringify(body)))
    const sent = bytes !== undefined && breakText ? this.#bytes(bytes) : bytes
    return { method, path, query, headers: all, ...(sent === undefined ? {} : { body: sent }) }
  }

  /** Changes one place somewhere in a value. */
  #value(value: unknown): unknown {
    const random = this.#random
    if (Array.isArray(value) && value.length > 0 && random.below(6) > 0) {
      const index = random.below(value.length)
      const dice = random.below(8)
      if (dice === 0) return value.filter((_, at) => at !== index)
      if (dice === 1) return [...value, value[index]]
      return value.with(index, this.#value(value[index]))
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && random.below(8) > 0) {
      const entries = Object.entries(value)
      const dice = random.below(10)
      if (entries.length === 0 || dice === 0) return { ...value, [nastyString(random)]: nastyValue(random) }
      const [key, inner] = pick(random, entries)
      if (dice === 1) return Object.fromEntries(entries.filter(([other]) => other !== key))
      if (dice === 2) return Object.fromEntries(entries.map(([other, kept]) => [other === key ? nastyString(random) : other, kept]))
      return { ...value, [key]: this.#value(inner) }
    }
    return nastyValue(random)
  }

  /** Damages the text itself. */
  #bytes(bytes: Buffer): Buffer {
    const random = this.#random
    const at = random.below(bytes.length + 1)
    const before = bytes.subarray(0, at)
    const after = bytes.subarray(at)
    switch (random.below(10)) {
      case 0:
        return before
      case 1:
        return after
      case 2:
        return Buffer.alloc(0)
      case 3:
        return Buffer.concat([before, Buffer.from(random.bytes(1 + random.below(8))), after.subarray(1)])
      case 4:
        return Buffer.concat([before, bytes, after])
      case 5:
        return Buffer.concat([bytes, bytes])
      case 6:
        return Buffer.concat([Buffer.from('\ufeff'), bytes])
      case 7:
        return Buffer.concat([
          before,
          Buffer.from(pick(random, ['\u0000', '{', '}', '[', ']', '"', ',', ':', '\\', '\n---\n', '&a *a', '#', '<<: x'])),
          after,
        ])
      case 8:
        // The same key again: one of the two must not win in silence.
        return Buffer.from(bytes.toString('utf8').replace(/"([a-zA-Z]+)":/, '"$1":{"again":1},"$1":'))
      default:
        return Buffer.from(bytes.toString('utf8').replaceAll('"', "'"))
    }
  }

  #path(path: string): string {
    const random = this.#random
    const parts = path.split('/')
    const index = 1 + random.below(Math.max(1, parts.length - 1))
    const segment = random.below(4) === 0 ? `s${random.uuid()}` : pick(random, segments)
    switch (random.below(6)) {
      case 0:
        return parts.toSpliced(index, 1).join('/') || '/'
      case 1:
        return parts.toSpliced(index, 0, segment).join('/')
      case 2:
        return `${path}/${segment}`
      case 3:
        return parts.slice(0, index).join('/') || '/'
      default:
        return (
          parts
            .with(Math.min(index, parts.length - 1), segment)
            .join('/')
            .replace(/^[^/]/, '/$&') || '/'
        )
    }
  }

  #query(query: [string, string][]): [string, string][] {
    const random = this.#random
    const key = pick(random, Object.keys(parameters))
    const value = random.below(4) === 0 ? nastyString(random).slice(0, 3000) : pick(random, parameters[key] ?? [''])
    const rest = query.filter(([other]) => other !== key)
    switch (random.below(5)) {
      case 0:
        return query.slice(1)
      case 1:
        return [...query, [key, value], [key, nastyString(random).slice(0, 500)]]
      default:
        return [...rest, [key, value.toWellFormed()]]
    }
  }

  #headers(given: Record<string, string>): Record<string, string> {
    const random = this.#random
    const key = pick(random, Object.keys(headers))
    const { [key]: _, ...rest } = given
    return random.below(6) === 0 ? rest : { ...rest, [key]: pick(random, headers[key] ?? ['']) }
  }
}
