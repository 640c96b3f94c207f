import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { silentLog } from '../log.ts'
import { admissionOf } from './admission.ts'
import type { CacheChange } from './cache.ts'
import { Collection, versionOf } from './collection.ts'
import { Part } from './part.ts'
import type { Filling } from './reflector.ts'
import { StringTable } from './string-table.ts'
import { ModelServer, type Selects } from './testing/model-server.ts'
import { byName, replay } from './testing/replay.ts'
import { bookmark, type Widget } from './testing/widgets.ts'

/** What can happen between a server, a cache and those who write through it. */
type Step =
  /** Somebody writes. `isOurs`: the answer is on its way to us. */
  | { readonly do: 'write'; readonly name: string; readonly color: string; readonly isOurs: boolean }
  | { readonly do: 'delete'; readonly name: string; readonly isOurs: boolean }
  /** One of the answers that are on their way arrives, in whatever order. */
  | { readonly do: 'answer'; readonly which: number }
  /** So many events of the watch arrive. */
  | { readonly do: 'events'; readonly count: number }
  | { readonly do: 'bookmark' }
  /** The watch is lost and its past forgotten: the server makes a list, which arrives in two pieces. */
  | { readonly do: 'list' }
  | { readonly do: 'half' }
  | { readonly do: 'finish' }

const name = fc.constantFrom('a', 'b', 'c')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('write' as const), name, color: fc.constantFrom('red', 'blue'), isOurs: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), name, isOurs: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(5) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('events' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('bookmark' as const, 'list' as const, 'half' as const, 'finish' as const) }) },
)

/** Plays the reflector: one list or one watch at a time, as a server would answer. */
class Play {
  readonly server = new ModelServer()
  readonly changes: CacheChange<Widget>[] = []
  readonly collection = new Collection<Widget>(admissionOf([{}], new StringTable(), true), silentLog)
  readonly #selects: Selects
  readonly #part: Part<Widget>
  readonly #answers: (() => () => boolean)[] = []
  readonly #marks: (() => boolean)[] = []
  #list: { readonly filling: Filling<Widget>; readonly objects: readonly Widget[]; readonly revision: number; sent: number } | undefined

  constructor(selects: Selects, isSelective: boolean) {
    this.#selects = selects
    this.#part = new Part({ collection: this.collection, namespace: undefined, isSelective, onStep: () => {} })
    this.collection.audience.add((change) => this.changes.push(change), [])
  }

  take(step: Step): void {
    switch (step.do) {
      case 'write': {
        const object = this.server.write(step.name, step.color)
        if (step.isOurs) this.#answers.push(() => this.#wrote(object))
        break
      }
      case 'delete': {
        const object = this.server.get(step.name)
        if (this.server.delete(step.name) && step.isOurs && object !== undefined) this.#answers.push(() => this.#deleted(object))
        break
      }
      case 'answer':
        for (const answer of this.#answers.splice(step.which, 1)) this.#marks.push(answer())
        break
      case 'events':
        if (this.#isWatching) this.#part.take(this.server.events(Number(this.#part.resourceVersion), this.#selects).slice(0, step.count))
        break
      case 'bookmark':
        if (this.#isWatching && this.#hasCaughtUp) this.#part.take([bookmark(this.server.revision)])
        break
      case 'list':
        this.#list = { filling: this.#part.begin(), objects: this.server.list(this.#selects), revision: this.server.revision, sent: 0 }
        break
      case 'half':
        this.#sendPages((this.#list?.objects.length ?? 0) / 2)
        break
      case 'finish':
        this.#sendPages(Infinity)
        this.#list?.filling.finish(String(this.#list.revision), true)
        this.#list = undefined
        break
    }
    for (const isShown of this.#marks) isShown()
  }

  /** Everything that is on its way arrives. */
  settle(): void {
    if (!this.#isWatching) this.take({ do: this.#list === undefined ? 'list' : 'finish' })
    this.take({ do: 'finish' })
    while (this.#answers.length > 0) this.take({ do: 'answer', which: 0 })
    this.take({ do: 'events', count: Infinity })
    this.take({ do: 'bookmark' })
    assert.ok(
      this.#marks.every((isShown) => isShown()),
      'a write is not shown though everything has arrived',
    )
  }

  get #isWatching(): boolean {
    return this.#list === undefined && this.#part.hasSynced
  }

  get #hasCaughtUp(): boolean {
    return this.server.events(Number(this.#part.resourceVersion), this.#selects).length === 0
  }

  #sendPages(until: number): void {
    const list = this.#list
    if (list === undefined) return
    const objects = list.objects.slice(list.sent, until)
    list.sent += objects.length
    list.filling.take(objects.map((object) => ({ type: 'ADDED', object })))
  }

  /** A write that was shown once stays shown. */
  #wrote(object: Widget): () => boolean {
    this.#part.wrote(object)
    let wasShown = false
    return () => {
      const isShown = this.#part.shows({ namespace: 'default', name: object.metadata.name ?? '' }, versionOf(object))
      assert.ok(isShown || !wasShown, 'a write that was shown is not any more')
      wasShown = isShown
      return isShown
    }
  }

  #deleted(object: Widget): () => boolean {
    return () => this.#part.showsEnd({ namespace: 'default', name: object.metadata.name ?? '' }, object.metadata.uid ?? '')
  }
}

for (const [what, selects, isSelective] of [
  ['all objects', () => true, false],
  ['selected objects', ({ spec }: Widget) => spec.color === 'red', true],
] as const) {
  test(`N4 N7 however writes, events and lists of ${what} mix, the cache ends up like the server and no change is lost or doubled`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const play = new Play(selects, isSelective)
        for (const each of steps) play.take(each)
        play.settle()
        const held = byName(play.collection.store.all())
        assert.deepEqual(held, byName(play.server.list(selects)))
        assert.deepEqual(byName(replay(play.changes).values()), held)
      }),
      { numRuns: 1500 },
    )
  })
}
