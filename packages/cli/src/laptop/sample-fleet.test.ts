import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgeSkew, parseVersion, skewRange } from '@windlass/core'
import { sampleCatalogue, updateGraph } from '@windlass/hosted'
import { poolDrafts } from './fleet-objects.ts'
import { sampleFleet, samplePools, usualSize } from './sample-fleet.ts'
import { sampleReleases } from './sample-releases.ts'

describe('the sample fleet', () => {
  it('has eight clusters of several versions: one that is upgraded, one that stalls, one without node pools', () => {
    const fleet = sampleFleet(usualSize)
    const count = (role: string): number => fleet.filter((cluster) => cluster.role === role).length
    assert.deepEqual([fleet.length, count('upgrading'), count('stalled'), count('no-node-pools')], [8, 1, 1, 1])
    assert.ok(new Set(fleet.map(({ version }) => version.split('.')[1])).size > 2)
  })

  it('has a pool that is as old as it may be, and one that is to be upgraded', () => {
    const pools = sampleFleet(usualSize).flatMap((cluster) => samplePools(cluster).map((pool) => ({ cluster, pool })))
    const old = pools.filter(({ cluster, pool }) => cluster.role === 'old-pool' && pool.version !== cluster.version)
    assert.equal(old.length, 1)
    for (const { cluster, pool } of old) {
      const range = skewRange([parseVersion(cluster.version)])
      assert.equal(judgeSkew(parseVersion(pool.version), range).answer, 'Supported')
      assert.equal(parseVersion(pool.version).minor, range?.tolerated.lowestMinor)
    }
    assert.deepEqual(
      pools.flatMap(({ cluster, pool }) => (pool.next === undefined ? [] : [[cluster.role, pool.next === cluster.version]])),
      [['blocked-pool', true]],
    )
  })

  it('is as large as one likes, and every cluster has a name of its own', () => {
    for (const size of [0, 1, 3, 8, 9, 1000]) {
      const fleet = sampleFleet(size)
      assert.equal(new Set(fleet.map(({ name }) => name)).size, size)
      assert.ok(fleet.every(({ name }) => /^(prod|stage|dev)-(eu|us|ap)-\d+$/.test(name)))
    }
    assert.deepEqual(sampleFleet(1000).slice(0, 8), sampleFleet(8))
  })

  it('has as many pools and nodes as somebody wants, and then nothing special about any of them', () => {
    const fleet = sampleFleet(10, { pools: 3, nodes: 5 })
    const pools = fleet.flatMap((cluster) => poolDrafts(cluster, sampleReleases(sampleCatalogue())))
    assert.equal(new Set(pools.map(({ metadata }) => metadata.name)).size, 30)
    assert.ok(pools.every(({ spec, metadata }) => spec.replicas === 5 && metadata.annotations === undefined))
    assert.ok(fleet.every((cluster) => samplePools(cluster).every(({ version }) => version === cluster.version)))
    assert.deepEqual(new Set(fleet.map(({ role }) => role)), new Set(['steady', 'upgrading', 'stalled']))
    assert.deepEqual(sampleFleet(10, { pools: 0 }).flatMap(samplePools), [])
    assert.deepEqual(sampleFleet(10, { nodes: 0 }).map(samplePools), sampleFleet(10).map(samplePools))
  })

  it('asks for releases that there are, and for upgrades that are recommended', () => {
    const catalogue = sampleCatalogue()
    const releases = sampleReleases(catalogue)
    for (const { version, next } of sampleFleet(100)) {
      assert.match(releases.pullspec(version), new RegExp(`:${version}-`))
      if (next === undefined) continue
      const { nodes, edges } = updateGraph(catalogue, { channel: `stable-${next.split('.').slice(0, 2).join('.')}` })
      const position = (wanted: string): number => nodes.findIndex((node) => node.version === wanted)
      assert.ok(edges.some(([from, to]) => from === position(version) && to === position(next)))
      assert.match(releases.image(next, 'hyperkube'), /@sha256:/)
    }
    assert.throws(() => releases.pullspec('3.11.0'), /has no release 3\.11\.0 for amd64/)
  })
})
