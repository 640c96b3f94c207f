import { ConfigMap, NodePool } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { aMachineConfig } from '../testing/index.ts'
import { change, poolRef, upgrade } from './world.ts'

/** Where a deed is done. */
export interface Occasion {
  readonly world: World
  readonly pool: string
  /** The pool comes from here, and is going there. */
  readonly from: string
  readonly to: string
  /** What people want of each pool in the end, by name. */
  readonly sizes: Map<string, number>
}

export type Deed = (occasion: Occasion) => Promise<void>

/** Everything takes so many times as long: SlowBoot. */
const slow = 'slow factor=3'

export const failing = (...failures: readonly string[]): { readonly annotations: Readonly<Record<string, string>> } => ({
  annotations: { 'simulator.windlass.dev/fail': [slow, ...failures].join('; ') },
})

/** The configuration that pools share. */
export const sharedConfig = 'own'

export const configWith = (contents: string) => ({ data: { config: aMachineConfig(sharedConfig, `data:,${contents}`) } })

/**
 * What people do to a pool while it is upgraded, and what happens to its machines. Each begins at some moment of the upgrade, and leaves the pool wanting the version
 * that it was to get to.
 */
export const deeds = {
  /** It goes back, and forth again. */
  async revert({ world, pool, from, to }) {
    await sometime(world, 150)
    await upgrade(world, from, pool)
    await sometime(world, 300)
    await upgrade(world, to, pool)
  },
  async pause({ world, pool }) {
    await sometime(world, 200)
    await change(world, { pausedUntil: 'true' }, pool)
    await sometime(world, 300)
    await change(world, { pausedUntil: null }, pool)
  },
  async scale({ world, pool, sizes }) {
    const before = sizes.get(pool) ?? 0
    const [more, fewer] = [before + 1, Math.max(1, before - 1)]
    const ways = [[more], [fewer], [more, before], [fewer, more]]
    for (const size of ways[world.random.below(ways.length)] ?? []) {
      await sometime(world, 200)
      await change(world, { replicas: size }, pool)
      sizes.set(pool, size)
    }
  },
  /** The first machine of the new version gets no configuration, and is replaced when it has had its time to start. */
  async neverBoots({ world, pool, to }) {
    const metadata = failing(`ignition-unreachable times=1 version=${to}`)
    await world.client.patch(NodePool, poolRef(pool), { metadata })
  },
  /** Of all pools that share it. */
  async configure({ world }) {
    await sometime(world, 300)
    await world.client.patch(ConfigMap, { namespace: 'clusters', name: sharedConfig }, configWith(String(world.random.below(1000))))
  },
} satisfies Record<string, Deed>

/** Within so many seconds. */
export function sometime({ random, sleep }: World, seconds: number): Promise<void> {
  return sleep(random.below(seconds * 1000))
}
