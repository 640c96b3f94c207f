import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { apiVersion, type Field, finalizer, isValid, type Item, kind, placed, type Value, type Values } from './item.ts'
import type { Model } from './model.ts'
import { applied, updated } from './ownership.ts'
import { become, type Outcome, refused, update, write } from './outcome.ts'
import type { Real } from './real.ts'

export type Command = fc.AsyncCommand<Model, Real>

export const namespaces = ['one', 'two'] as const
const names = ['a', 'b', 'c'] as const

/** `one/a`. */
const aKey = fc.tuple(fc.constantFrom(...namespaces), fc.constantFrom(...names)).map(([namespace, name]) => `${namespace}/${name}`)
const aWriter = fc.constantFrom('w1', 'w2')
const anApplier = fc.constantFrom('a1', 'a2')

/** A few values each, so that they meet again; green and -1 are refused. */
const valuesOf = {
  tier: fc.constantFrom('x', 'y'),
  color: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('red', 'blue') }, { weight: 1, arbitrary: fc.constant('green') }),
  size: fc.oneof({ weight: 8, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.constant(-1) }),
  note: fc.constantFrom('', 'é', 'long '.repeat(50)),
}

const someValues: fc.Arbitrary<Values> = fc
  .record(valuesOf, { requiredKeys: [], noNullPrototype: true })
  .map((values) => ({ ...(values as Values), base: true }))
const someChanges = fc.record(
  {
    ...valuesOf,
    tier: fc.option(valuesOf.tier),
    color: fc.option(valuesOf.color),
    size: fc.option(valuesOf.size),
    note: fc.option(valuesOf.note),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<Partial<Record<Field, Value | null>>>

export function collection(namespace: string): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/items`
}

export function pathOf(key: string): string {
  const [namespace = '', name = ''] = key.split('/')
  return `${collection(namespace)}/${name}`
}

const merge = 'application/merge-patch+json'

/** One write to one object: what must come of it, given what there is, and how to ask for it. */
class Write implements Command {
  readonly #title: string
  readonly #key: string
  readonly #expected: (item: Item | undefined) => Outcome
  readonly #request: (item: Item | undefined) => Parameters<Real['send']>

  constructor(
    title: string,
    key: string,
    expected: (item: Item | undefined) => Outcome,
    request: (item: Item | undefined) => Parameters<Real['send']>,
  ) {
    this.#title = title
    this.#key = key
    this.#expected = expected
    this.#request = request
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    const item = model.items.get(this.#key)
    await write(model, real, this.#key, this.#expected(item), () => real.send(...this.#request(item)))
  }

  toString(): string {
    return this.#title
  }
}

/** A write that needs the object to be there. */
function changing(
  title: string,
  key: string,
  expected: (item: Item) => Outcome,
  request: (item: Item | undefined) => Parameters<Real['send']>,
): Write {
  return new Write(title, key, (item) => (item === undefined ? refused(404) : expected(item)), request)
}

function objectOf(key: string, values: Values, metadata: object = {}): object {
  const [namespace, name] = key.split('/')
  const { metadata: labels, spec } = placed(values)
  return { apiVersion, kind, metadata: { namespace, name, ...labels, ...metadata }, spec }
}

const created = (key: string, values: Values, hasFinalizer: boolean, owners: Item['owners']): Outcome => {
  const [namespace = '', name = ''] = key.split('/')
  return { status: 201, becomes: { namespace, name, values, hasFinalizer, isDeleting: false, generation: 1, owners } }
}

const nothing = { values: {}, owners: new Map<string, ReadonlySet<Field>>() }

const create = fc.record({ key: aKey, values: someValues, held: fc.boolean(), by: aWriter }).map(({ key, values, held, by }) => {
  const expected = (item: Item | undefined): Outcome => {
    if (!isValid(values)) return refused(422)
    return item === undefined ? created(key, values, held, updated(nothing, by, values)) : refused(409)
  }
  const object = objectOf(key, values, held ? { finalizers: [finalizer] } : {})
  return new Write(`create ${key} ${JSON.stringify(values)}${held ? ' with a finalizer' : ''} by ${by}`, key, expected, () => [
    'POST',
    `${pathOf(key).replace(/\/[^/]+$/, '')}?fieldManager=${by}`,
    object,
  ])
})

const put = fc
  .record({
    key: aKey,
    values: someValues,
    revision: fc.constantFrom('fresh', 'fresh', 'fresh', 'stale', 'missing'),
    keep: fc.boolean(),
    by: aWriter,
  })
  .map(({ key, values, revision, keep, by }) => {
    const expected = (item: Item): Outcome => {
      if (revision === 'missing') return refused(422)
      return revision === 'stale' ? refused(409) : update(item, by, values, keep && item.hasFinalizer)
    }
    const title = `replace ${key} with ${JSON.stringify(values)}, ${revision} revision${keep ? ', keeping its finalizer' : ''} by ${by}`
    return changing(title, key, expected, (item) => {
      const known =
        item === undefined || revision === 'missing' ? {} : { resourceVersion: String(item.revision - (revision === 'stale' ? 1 : 0)) }
      const object = objectOf(key, values, { ...known, ...(keep && item?.hasFinalizer === true ? { finalizers: [finalizer] } : {}) })
      return ['PUT', `${pathOf(key)}?fieldManager=${by}`, object]
    })
  })

const mergePatch = fc.record({ key: aKey, changes: someChanges, by: aWriter }).map(({ key, changes, by }) => {
  const expected = (item: Item): Outcome => {
    const next = Object.entries({ ...item.values, ...changes }).filter(([, value]) => value !== null)
    return update(item, by, Object.fromEntries(next))
  }
  return changing(`merge ${JSON.stringify(changes)} into ${key} by ${by}`, key, expected, () => [
    'PATCH',
    `${pathOf(key)}?fieldManager=${by}`,
    placed(changes),
    merge,
  ])
})

const jsonPatch = fc.record({ key: aKey, seen: fc.nat(2), next: valuesOf.size, by: aWriter }).map(({ key, seen, next, by }) => {
  const expected = (item: Item): Outcome => (item.values.size === seen ? update(item, by, { ...item.values, size: next }) : refused(422))
  return changing(`set the size of ${key} to ${next} if it is ${seen} by ${by}`, key, expected, () => [
    'PATCH',
    `${pathOf(key)}?fieldManager=${by}`,
    [
      { op: 'test', path: '/spec/size', value: seen },
      { op: 'replace', path: '/spec/size', value: next },
    ],
    'application/json-patch+json',
  ])
})

const hold = fc.record({ key: aKey, held: fc.boolean(), by: aWriter }).map(({ key, held, by }) =>
  changing(
    `${held ? 'put a finalizer on' : 'take the finalizer off'} ${key} by ${by}`,
    key,
    (item) => update(item, by, item.values, held),
    () => ['PATCH', `${pathOf(key)}?fieldManager=${by}`, { metadata: { finalizers: held ? [finalizer] : null } }, merge],
  ),
)

const setStatus = fc.record({ key: aKey, phase: fc.constantFrom('Running', 'Done'), by: aWriter }).map(({ key, phase, by }) =>
  changing(
    `say that ${key} is ${phase} by ${by}`,
    key,
    (item) => become(item, { ...item, phase }),
    () => [
      'PATCH',
      `${pathOf(key)}/status?fieldManager=${by}`,
      // Only the status is taken from it.
      { status: { phase }, spec: { size: 7 } },
      merge,
    ],
  ),
)

const apply = fc.record({ key: aKey, values: someValues, force: fc.boolean(), by: anApplier }).map(({ key, values, force, by }) => {
  const expected = (item: Item | undefined): Outcome => {
    const { conflicts, values: next, owners } = applied(item ?? nothing, by, values)
    if (conflicts.length > 0 && !force) return refused(409)
    if (!isValid(next)) return refused(422)
    return item === undefined ? created(key, next, false, owners) : become(item, { ...item, values: next, owners })
  }
  return new Write(`apply ${JSON.stringify(values)} to ${key}${force ? ' by force' : ''} by ${by}`, key, expected, () => [
    'PATCH',
    `${pathOf(key)}?fieldManager=${by}&force=${force}`,
    objectOf(key, values),
    'application/apply-patch+yaml',
  ])
})

const remove = fc.record({ key: aKey, only: fc.constantFrom('any', 'any', 'this', 'another') }).map(({ key, only }) => {
  const expected = (item: Item): Outcome => {
    if (only === 'another') return refused(409)
    return item.hasFinalizer ? become(item, { ...item, isDeleting: true }) : { status: 200, becomes: 'gone' }
  }
  return changing(`delete ${key}${only === 'any' ? '' : ` if it is ${only} one`}`, key, expected, (item) => {
    const preconditions = only === 'any' ? {} : { preconditions: { uid: only === 'this' ? item?.uid : 'another' } }
    return ['DELETE', pathOf(key), { apiVersion: 'v1', kind: 'DeleteOptions', ...preconditions }]
  })
})

/** Deletes all of a namespace, or those with one label: object by object, in the order of lists. */
class RemoveAll implements Command {
  readonly #namespace: string
  readonly #tier: string | undefined

  constructor(namespace: string, tier: string | undefined) {
    this.#namespace = namespace
    this.#tier = tier
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    const selection = { namespace: this.#namespace, ...(this.#tier === undefined ? {} : { tier: this.#tier }) }
    const before = model.at(real.revision, selection)
    let revision = real.revision
    const { status } = await real.send(
      'DELETE',
      `${collection(this.#namespace)}${this.#tier === undefined ? '' : `?labelSelector=tier%3D${this.#tier}`}`,
    )
    assert.equal(status, 200)
    for (const item of before) {
      const key = `${item.namespace}/${item.name}`
      if (!item.hasFinalizer) model.commit(key, undefined, ++revision)
      else if (!item.isDeleting)
        model.commit(key, { ...item, isDeleting: true, generation: item.generation + 1, revision: ++revision }, revision)
    }
    assert.equal(real.revision, revision)
  }

  toString(): string {
    return `delete all of ${this.#namespace}${this.#tier === undefined ? '' : ` with tier ${this.#tier}`}`
  }
}

const removeAll = fc.tuple(fc.constantFrom(...namespaces), fc.option(fc.constantFrom('x', 'y'), { nil: undefined }))

export const writes: readonly fc.Arbitrary<Command>[] = [
  create,
  put,
  mergePatch,
  jsonPatch,
  hold,
  setStatus,
  apply,
  apply,
  remove,
  removeAll.map(([namespace, tier]) => new RemoveAll(namespace, tier)),
]
