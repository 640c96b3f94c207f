import type { ByteString } from './byte-string.ts'

/** The `depth`th slash of a key and all before it: `resource` is three levels deep, `namespace` four. Undefined when it has fewer. */
export function levels(key: ByteString, depth: number): ByteString | undefined {
  let end = -1
  for (let level = 0; level < depth; level++) {
    end = key.indexOf('/', end + 1)
    if (end < 0) return undefined
  }
  return key.slice(0, end + 1) as ByteString
}

/** `<cluster>/<group>/<resource>/` of a key; of a key without these levels, the whole. */
export function resourceOf(key: ByteString): ByteString {
  return levels(key, 3) ?? key
}
