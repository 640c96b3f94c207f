/** Everything that a list has, once all of it has come. */
export async function listed<T>(objects: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const object of objects) all.push(object)
  return all
}
