/** Names of fields, from the outside in. Lists have no step of their own: what is said of a list is said of each of its elements. */
export type FieldPath = readonly string[]

const whole = /^[^.[\]"]+(?:\.[^.[\]"]+|\["[^"]+"\])*$/
const step = /\["([^"]+)"\]|[^.[\]"]+/g

/**
 * Reads `status.conditions.message`, or `metadata.annotations["example.com/note"]` where a name has dots.
 *
 * Throws when it is neither.
 */
export function parseFieldPath(text: string): FieldPath {
  if (!whole.test(text)) {
    throw new TypeError(
      `${JSON.stringify(text)} is no path of a field: write names with dots between them (spec.release), and names that have dots themselves in brackets (metadata.labels["example.com/team"])`,
    )
  }
  return Array.from(text.matchAll(step), ([name, quoted]) => quoted ?? name)
}

/** Whether a path is the same as another or leads to something inside of it. */
export function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((name, index) => path[index] === name)
}
