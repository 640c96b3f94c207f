import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { capi, HostedCluster, HostedControlPlane, NodePool, Secret } from '@windlass/api'
import { AskedCluster } from '../hosted/asked-cluster.ts'
import { namespace } from '../hosted/cluster.ts'
import { catalogue } from '../hosted/releases.ts'
import { Stage } from '../hosted/stage.ts'
import type { Definition } from '../upstream-crds/definitions.ts'
import { AskedPool } from './asked-pool.ts'
import { theEnd } from './end.ts'
import { inPlace } from './in-place.ts'
import { repairAndScaling } from './repair-and-scaling.ts'
import { replacement } from './replacement.ts'
import { tokens } from './tokens.ts'

/** What the tests of a story have in common. Everything is there when the first of them runs. */
export interface Scene {
  readonly stage: Stage
  readonly prod: AskedCluster
  /** Machines are replaced. */
  readonly workers: AskedPool
  /** Machines stay. */
  readonly metal: AskedPool
  /** Whether pools have what `kubectl scale` asks for. */
  readonly canScale: boolean
}

/** What is written to these is recorded. */
export const poolKinds = [
  HostedCluster,
  HostedControlPlane,
  NodePool,
  Secret,
  capi.Machine,
  capi.MachineDeployment,
  capi.MachineSet,
  capi.MachineHealthCheck,
]

/**
 * The node pools of one hosted cluster from the cradle to the grave, with a real kubectl. API server, operator and simulated machines are processes of their own;
 * machines fetch their configuration over TLS.
 *
 * What takes hours on a real cluster (two hours until a token expires, five and a half until it is replaced) is not waited for: people set back or forward
 * the time that stands on the Secret. That these times are right is proved in virtual time, beside the controllers.
 */
export function theStoryOfPools(title: string, definitions: readonly Definition[]): void {
  describe(title, { concurrency: false, timeout: 300_000 }, () => {
    let scene: Scene | undefined
    const at = (): Scene => scene ?? assert.fail('the stage is not set')

    before(async () => {
      const stage = await Stage.set({ definitions, seed: '1', catalogue: catalogue(), pools: poolKinds })
      await stage.k.ok`create namespace ${namespace}`
      scene = {
        stage,
        prod: new AskedCluster(stage, 'prod'),
        workers: new AskedPool(stage, 'prod', 'workers'),
        metal: new AskedPool(stage, 'prod', 'metal'),
        canScale: definitions.some(
          ({ metadata, spec }) => metadata.name.startsWith('nodepools.') && spec.versions.some(({ subresources }) => subresources?.scale),
        ),
      }
    })
    after(async () => {
      if (scene === undefined) return
      assert.deepEqual(await scene.stage.clear(), [0, 0], 'operator and simulator end when they are asked to')
    })

    replacement(at)
    inPlace(at)
    tokens(at)
    repairAndScaling(at)
    theEnd(at)

    it('was never refused anything, and wrote no field that the definitions do not have', () => {
      const isExpected = (line: string): boolean =>
        // Versions that will go some day are there today; and one pass over a refused pool is an error by intent.
        /"warning":"[^"]* is deprecated[;"]/.test(line) || line.includes('the latest version supported is')
      assert.deepEqual(
        at()
          .stage.complaints()
          .filter((line) => !isExpected(line)),
        [],
      )
    })
  })
}
