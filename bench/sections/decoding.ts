import { NodePool } from '@windlass/api'
import { systemRandom } from '@windlass/core'
import { Catalog, type Served } from '../../packages/apiserver/src/registry/catalog.ts'
import { decodeObject } from '../../packages/apiserver/src/registry/decode.ts'
import { validateCreate } from '../../packages/apiserver/src/registry/validate.ts'
import { toResourceType } from '../../packages/apiserver/src/crd/index.ts'
import { isObject, type JsonObject } from '../../packages/apiserver/src/json.ts'
import { decodeJson } from '../../packages/apiserver/src/wire/index.ts'
import type { Bench } from '../bench.ts'
import { aPool, definition } from '../node-pool.ts'

const bodies = Array.from({ length: 200 }, (_, index) => aPool(index))
const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length
const context = { now: 0, random: systemRandom, subresource: '', user: 'bench' }

/** What is done with a body before anything is stored, one step after the other, against JSON.parse of the same bodies. */
export async function measureDecoding(bench: Bench): Promise<void> {
  const served = servedPool()
  const steps: Readonly<Record<string, (body: string) => unknown>> = {
    'read JSON, finding repeated keys': (body) => read(body),
    '… pruned and defaulted': (body) => decodeObject(served, read(body), context),
    '… checked against schema and rules': (body) => validated(served, decodeObject(served, read(body), context).object),
  }
  const parse = await fastest(bench, (body) => JSON.parse(body) as unknown)
  bench.add({ name: 'JSON.parse alone', value: parse, unit: '/s' })
  for (const [name, step] of Object.entries(steps)) {
    const value = await fastest(bench, step)
    bench.add({ name, value, unit: '/s', baseline: { what: 'JSON.parse', value: parse } })
    bench.add({ name: `${name}, bytes`, value: (value * bytes) / 1e6, unit: 'MB/s' })
  }
}

function servedPool(): Served {
  const catalog = new Catalog()
  catalog.set(toResourceType({ ...definition } as Record<string, unknown> as JsonObject))
  const { group, version, plural } = NodePool
  const served = catalog.find(group, version, plural)
  if (served === undefined) throw new Error('the definition of NodePools serves none')
  return served
}

function read(body: string): JsonObject {
  const { value } = decodeJson(body, { findDuplicates: true })
  if (!isObject(value)) throw new Error('a pool is an object')
  return value
}

/** As it is when it is checked: named, placed and dated by the server. */
function validated(served: Served, object: JsonObject): unknown {
  const { errors } = validateCreate(served, object, context)
  if (errors.length > 0) throw new Error(`a pool is invalid: ${JSON.stringify(errors)}`)
  return object
}

/** Objects per second, in the best of some rounds. */
async function fastest(bench: Bench, step: (body: string) => unknown): Promise<number> {
  const { perSecond } = await bench.best(async () => {
    const started = performance.now()
    let count = 0
    for (; performance.now() - started < bench.roundSeconds * 300; count += bodies.length) for (const body of bodies) step(body)
    return { perSecond: (count * 1000) / (performance.now() - started) }
  })
  return perSecond
}
