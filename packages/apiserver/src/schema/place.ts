/**
 * Where a walk through an object stands. It is a stack that is written over and over, so that a walk that has nothing to say
 * allocates nothing; the text is made when somebody asks.
 */
export class Place {
  readonly #segments: (string | number)[] = []
  #depth = 0

  enter(segment: string | number): void {
    this.#segments[this.#depth++] = segment
  }

  leave(): void {
    this.#depth--
  }

  /** `spec.list[0].name`; empty at the top. */
  toString(): string {
    let text = ''
    for (let index = 0; index < this.#depth; index++) {
      const segment = this.#segments[index]
      if (typeof segment === 'number') text += `[${segment}]`
      else text += text === '' ? segment : `.${segment}`
    }
    return text
  }
}

/** Field paths as errors write them: names after a dot, keys of maps and indexes in brackets. Empty stands for the object itself. */
export const fieldPath = {
  child: (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`),
  key: (parent: string, key: string): string => `${parent}[${key}]`,
  index: (parent: string, index: number): string => `${parent}[${index}]`,
  /** The name of the object itself in errors. */
  text: (path: string): string => (path === '' ? '<nil>' : path),
}
