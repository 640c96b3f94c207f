/** Everything that is listed, page by page, in one array. */
export async function allOf<T>(objects: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const object of objects) all.push(object)
  return all
}
