import { describe } from 'node:test'
import { describeHistory } from './history-suite.ts'
import { describeLife } from './life-suite.ts'
import { describeModel } from './model-suite.ts'
import { describeReads } from './read-suite.ts'
import type { StoreFixture } from './fixture.ts'
import { describeWrites } from './write-suite.ts'

/** Everything that `Store` promises, for one engine. */
export function describeStore(fixture: StoreFixture): void {
  describe(fixture.name, () => {
    describeWrites(fixture)
    describeReads(fixture)
    describeHistory(fixture)
    describeLife(fixture)
    describeModel(fixture)
  })
}
