import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { definitionsIn, type Definition, ownFolder } from '../upstream-crds/definitions.ts'
import { AskedCluster } from './asked-cluster.ts'
import { namespace } from './cluster.ts'
import { theEnd } from './end.ts'
import { inventory } from './inventory.ts'
import { theLifeOfDev } from './life-of-dev.ts'
import { theLifeOfProd } from './life-of-prod.ts'
import { catalogue } from './releases.ts'
import { Stage } from './stage.ts'

/** What the tests of a story have in common. Everything is there when the first of them runs. */
export interface Scene {
  readonly stage: Stage
  /** Has a node pool. */
  readonly prod: AskedCluster
  /** Has none. */
  readonly dev: AskedCluster
  /** Everything there was before anybody asked for a cluster. */
  readonly before: readonly string[]
}

/**
 * Two hosted clusters from the cradle to the grave, with a real kubectl. The processes that run them are those of production; what a laptop lacks is
 * simulated, at high speed.
 */
export function theWholeStory(title: string, definitions: readonly Definition[]): void {
  describe(title, { concurrency: false, timeout: 600_000 }, () => {
    let scene: Scene | undefined
    const at = (): Scene => scene ?? assert.fail('the stage is not set')

    before(async () => {
      const stage = await Stage.set({ definitions, seed: '1', catalogue: catalogue() })
      await stage.k.ok`create namespace ${namespace}`
      scene = {
        stage,
        prod: new AskedCluster(stage, 'prod'),
        dev: new AskedCluster(stage, 'dev'),
        before: await inventory(stage.k),
      }
    })
    after(async () => {
      if (scene === undefined) return
      assert.deepEqual(await scene.stage.clear(), [0, 0], 'operator and simulator end when they are asked to')
    })

    describe('lives', { concurrency: true }, () => {
      describe('prod', { concurrency: false }, () => theLifeOfProd(at))
      describe('dev, which has no node pools', { concurrency: false }, () => theLifeOfDev(at))
    })
    describe('goes', { concurrency: false }, () => theEnd(at))

    it('was never refused anything, and wrote no field that the definitions do not have', () => {
      // Versions that will go some day are there today.
      const complaints = at()
        .stage.complaints()
        .filter((line) => !/"warning":"[^"]* is deprecated; use /.test(line))
      assert.deepEqual(complaints, [])
    })
  })
}

/** Those that the server needs besides the ones that it brings along. */
export const ownDefinitions = (): readonly Definition[] =>
  definitionsIn(ownFolder).filter(({ metadata }) => metadata.name !== 'logicalclusters.windlass.dev')
