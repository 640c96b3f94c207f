const writes = 5_000

/**
 * Milliseconds of CPU that a write takes of which nothing is asked but that an object is read and written: what is left when everything else is taken away.
 * It is measured where and when the fleet is, so that a busy machine slows down both.
 */
export function bareWrite(objects: readonly object[]): number {
  const texts = objects.map((object) => JSON.stringify(object))
  const write = (index: number): number => JSON.stringify(JSON.parse(texts[index % texts.length] ?? '{}')).length
  // The compiler has its turn first.
  for (let index = 0; index < writes; index++) write(index)
  const before = process.cpuUsage()
  for (let index = 0; index < writes; index++) write(index)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / writes
}
