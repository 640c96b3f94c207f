import type { Credentials } from '../../test/support/windlass.ts'
import type { Bench } from '../bench.ts'
import { goals, orientation } from '../goals.ts'
import { everywherePath, nameOf, namespaceOf, collectionPath } from '../node-pool.ts'
import type { ServerProcess } from '../server.ts'

interface Subject {
  readonly server: ServerProcess
  readonly bare: Credentials
  readonly count: number
  readonly suffix: string
}

/** Lists to the last byte, one at a time. Gives the milliseconds that 3,000 objects take. */
export async function measureLists(bench: Bench, { server, bare, count, suffix }: Subject): Promise<number> {
  const time = async (at: Credentials, path: string): Promise<number> => {
    const extent = { count: bench.settings.isQuick ? 10 : 30 }
    const { p50 } = await bench.generator.run('repeat', { at, clients: 1, path, extent })
    return p50
  }
  const list = await time(server, `${everywherePath}?limit=3000`)
  const baseline = { what: 'bare https', value: await time(bare, '/1') }
  bench.add({ name: `list 3,000 ${suffix}`, value: list, unit: 'ms', baseline, orientation: orientation.list, goal: goals.list3000 })
  if (count >= 10_000) {
    const value = await time(server, `${everywherePath}?limit=10000`)
    const bareList = { what: 'bare https', value: await time(bare, '/2') }
    bench.add({ name: `list 10,000 ${suffix}`, value, unit: 'ms', baseline: bareList, goal: goals.list10000 })
    await measureListMemory(bench, server, suffix)
  }
  const middle = Math.floor(count / 2)
  const selector = `?fieldSelector=metadata.name%3D${nameOf(middle)}`
  const named = await time(server, collectionPath(namespaceOf(middle)) + selector)
  bench.add({ name: `list one name ${suffix}`, value: named, unit: 'ms', goal: goals.listByName })
  bench.add({
    name: `list one name in all namespaces ${suffix}`,
    value: await time(server, everywherePath + selector),
    unit: 'ms',
    goal: goals.listByName,
  })
  return list
}

/** What a list of everything adds to the memory that is resident and not just mapped, at its highest. */
async function measureListMemory(bench: Bench, server: ServerProcess, suffix: string): Promise<void> {
  const before = server.memory().anonymous
  let highest = before
  const watching = setInterval(() => (highest = Math.max(highest, server.memory().anonymous)), 10)
  const { p50 } = await bench.generator.run('repeat', { at: server, clients: 1, path: everywherePath, extent: { count: 2 } })
  clearInterval(watching)
  bench.add({ name: `list everything ${suffix}`, value: p50, unit: 'ms' })
  bench.add({ name: `list everything ${suffix}, memory added`, value: highest - before, unit: 'MB', goal: goals.listMemory })
}
