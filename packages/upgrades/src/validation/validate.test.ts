import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UpgradeConfig } from '@windlass/api'
import { aReleaseDigest } from '@windlass/api/fixtures'
import type { Facts } from '../observed/facts.ts'
import { seen, unseen } from '../observed/seen.ts'
import { at, configured, theCluster, theUpgrade } from '../testing/index.ts'
import {
  blobUrl,
  graphUrl,
  isReachable,
  manifestUrl,
  parsePullspec,
  readManifest,
  type UpdateGraph,
  validate,
  versionLabel,
} from './index.ts'

const validated = (upgradeConfig: UpgradeConfig, facts: Partial<Facts> = {}, cincinnati = false) =>
  validate({
    upgradeConfig,
    config: configured({ 'validation.cincinnati': cincinnati }),
    facts: { clusterVersion: seen(theCluster()), ...facts },
  })

const wanting = (version: string, channel = 'fast-4.4') => theUpgrade({ version, spec: { desired: { version, channel } } })

/** Invalid with an error, and what the error says. */
function errorOf(answer: ReturnType<typeof validate>): string {
  assert.ok(answer.is === 'invalid' && answer.isError)
  return answer.why
}

describe('validation', () => {
  it('V01 is strict about the time', () => {
    for (const upgradeAt of ['2025-02-25 15:00', '2025-02-30T15:00:00Z', '2025-02-25T15:00Z', 'soon', '']) {
      assert.match(errorOf(validated(theUpgrade({ spec: { upgradeAt } }))), /RFC 3339/)
    }
  })

  it('V02 takes a time with an offset', () => {
    assert.equal(validated(theUpgrade({ spec: { upgradeAt: '2030-01-01T15:00:00+02:00' } })).is, 'valid')
  })

  it('V03 refuses the current version and everything before it', () => {
    const facts = { clusterVersion: seen(theCluster({ completed: ['4.4.4'] })) }
    assert.match(errorOf(validated(wanting('4.4.4'), facts)), /matches the current version/)
    assert.match(errorOf(validated(wanting('4.4.3'), facts)), /downgrades .* unsupported/)
  })

  it('V03 compares plain semantic versions: 5.0.0 is after 4.23.0, and a candidate before its release', () => {
    const on = (current: string) => ({ clusterVersion: seen(theCluster({ completed: [current], available: ['5.0.0', '4.15.0'] })) })
    assert.equal(validated(wanting('5.0.0'), on('4.23.0')).is, 'valid')
    assert.match(errorOf(validated(wanting('4.23.0'), on('5.0.0'))), /downgrades/)
    assert.equal(validated(wanting('4.15.0'), on('4.15.0-rc.8')).is, 'valid')
  })

  it('V03 goes by the version that was completed last, wherever it stands in the history', () => {
    const cluster = theCluster({ completed: ['4.4.4', '4.4.5'] })
    const history = (cluster.status?.history ?? []).toReversed()
    const reordered = { ...cluster, status: { ...cluster.status, history } as typeof cluster.status }
    assert.match(errorOf(validated(wanting('4.4.4'), { clusterVersion: seen(reordered as typeof cluster) })), /matches/)
  })

  it('V04 refuses what is no semantic version, on either side', () => {
    assert.match(errorOf(validated(wanting('4.4'))), /"4\.4"/)
    assert.match(errorOf(validated(wanting('4.4.6'), { clusterVersion: seen(theCluster({ completed: ['x'] })) })), /"x"/)
    assert.match(errorOf(validated(wanting('4.4.6'), { clusterVersion: seen(theCluster({ completed: [] })) })), /no completed version/)
  })

  it('V05 takes what the cluster offers, with risks or without', () => {
    assert.equal(validated(wanting('4.4.6')).is, 'valid')
    const conditional = theCluster({ available: null, conditional: ['4.4.6'] })
    assert.equal(validated(wanting('4.4.6'), { clusterVersion: seen(conditional) }).is, 'valid')
  })

  it('V06 refuses what it does not offer, without an error', () => {
    for (const available of [[], null]) {
      const answer = validated(wanting('4.4.6'), { clusterVersion: seen(theCluster({ available })) })
      assert.ok(answer.is === 'invalid' && !answer.isError)
    }
  })

  it('V07 takes another channel as it is when nobody may be asked', () => assert.equal(validated(wanting('4.5.0', 'fast-4.5')).is, 'valid'))

  const graph = (parts: Partial<UpdateGraph>): Partial<Facts> => ({
    updateGraph: seen({ nodes: ['4.4.5', '4.5.0', '4.5.1'].map((version) => ({ version })), ...parts }),
  })

  it('V08 Δ09 asks for another channel, and takes an edge of either kind', () => {
    const wanted = wanting('4.5.0', 'fast-4.5')
    assert.deepEqual(validated(wanted, {}, true), { is: 'look', at: ['updateGraph'], effects: [] })
    assert.equal(validated(wanted, graph({ edges: [[0, 1]] }), true).is, 'valid')
    assert.equal(validated(wanted, graph({ conditionalEdges: [{ edges: [{ from: '4.4.5', to: '4.5.0' }] }] }), true).is, 'valid')
    assert.match(errorOf(validated(wanted, graph({ edges: [[0, 2]] }), true)), /cannot find version 4\.5\.0/)
    assert.match(errorOf(validated(wanted, { updateGraph: unseen('status 500') }, true)), /status 500/)
  })

  it('V09 does not know what to say when the graph does not have the current version', () => {
    const facts = { updateGraph: seen({ nodes: [{ version: '4.5.0' }] }) }
    assert.match(errorOf(validated(wanting('4.5.0', 'fast-4.5'), facts, true)), /cannot find version 4\.4\.5/)
    assert.equal(isReachable({ nodes: [] }, 'a', 'b'), undefined)
  })

  it('V10 Δ08 refuses an image without a digest, and asks nobody', () => {
    for (const image of ['quay.io/ns/name:4.7.13', 'name@sha256:0', 'quay.io/name@sha256:' + 'a'.repeat(64), 'http://[']) {
      assert.match(errorOf(validated(theUpgrade({ spec: { desired: { image } } }))), /expected registry/)
    }
  })

  it('V11 Δ08 writes the version of an image into the spec', () => {
    const image = aReleaseDigest('4.7.13')
    const upgrade = theUpgrade({ spec: { desired: { image } } })
    assert.deepEqual(validated(upgrade), { is: 'look', at: ['imageVersion'], effects: [] })
    const answer = validated(upgrade, { imageVersion: seen('4.7.13') })
    assert.ok(answer.is === 'valid' && answer.version === '4.7.13')
    const [effect] = answer.effects
    assert.ok(effect?.do === 'act' && effect.action.do === 'patch')
    assert.deepEqual(effect.action.patch, { spec: { desired: { version: '4.7.13' } } })
    const named = theUpgrade({ spec: { desired: { image, version: '4.7.13' } } })
    assert.deepEqual(validated(named, { imageVersion: seen('4.7.13') }), { is: 'valid', version: '4.7.13', effects: [] })
    assert.match(errorOf(validated(upgrade, { imageVersion: unseen('the registry answered with 401') })), /401/)
  })

  it('R19 Δ04 says what is missing, without an error', () => {
    for (const [desired, why] of [
      [{}, /image, or a channel and a version/],
      [{ version: '4.4.6' }, /channel is missing/],
      [{ channel: 'fast-4.4' }, /version is missing/],
    ] satisfies [object, RegExp][]) {
      const answer = validated(theUpgrade({ spec: { desired } }))
      assert.ok(answer.is === 'invalid' && !answer.isError)
      assert.match(answer.why, why)
    }
  })

  it('R21 waits while the cluster goes elsewhere', () => {
    const facts = { clusterVersion: seen(theCluster({ partial: { version: '4.4.6', since: at(-5) }, available: ['4.4.7'] })) }
    const answer = validated(wanting('4.4.7'), facts)
    assert.ok(answer.is === 'not available')
    assert.match(answer.why, /4\.4\.6/)
  })
})

describe('the update service', () => {
  const query = { channel: 'fast-4.5', version: '4.4.5', architecture: 'amd64' }

  it('Δ09 is asked for the architecture of the cluster', () => {
    const id = theCluster().spec.clusterID
    assert.equal(
      graphUrl(theCluster(), query),
      `https://api.openshift.com/api/upgrades_info/v1/graph?arch=amd64&channel=fast-4.5&id=${id}&version=4.4.5`,
    )
    const cluster = theCluster()
    const desired = { version: '4.4.5', image: 'a', architecture: 'Multi' }
    const multi = { ...cluster, status: { ...cluster.status, desired } } as typeof cluster
    assert.match(graphUrl(multi, query) ?? '', /arch=multi/)
    const upstream = { ...cluster, spec: { ...cluster.spec, upstream: 'https://example.com/graph' } }
    assert.match(graphUrl(upstream, query) ?? '', /^https:\/\/example\.com\/graph\?/)
  })

  it('is not asked by a cluster without an identity', () => {
    const cluster = theCluster()
    assert.equal(graphUrl({ ...cluster, spec: { ...cluster.spec, clusterID: 'x' } }, query), undefined)
  })
})

describe('a release image', () => {
  const digest = `sha256:${'a'.repeat(64)}`

  it('is found at its registry', () => {
    const pullspec = parsePullspec(`registry.example.com:5000/ocp/release@${digest}`)
    assert.ok(pullspec !== undefined)
    assert.equal(manifestUrl(pullspec, digest), `https://registry.example.com:5000/v2/ocp/release/manifests/${digest}`)
    assert.equal(blobUrl(pullspec, digest), `https://registry.example.com:5000/v2/ocp/release/blobs/${digest}`)
  })

  it('leads to its version by way of its configuration', () => {
    const other = `sha256:${'b'.repeat(64)}`
    const list = {
      manifests: [
        { digest: other, platform: { architecture: 'arm64' } },
        { digest, platform: { architecture: 'amd64' } },
      ],
    }
    assert.deepEqual(readManifest(list, 'amd64'), { is: 'manifest', digest })
    assert.deepEqual(readManifest({ config: { digest } }, 'amd64'), { is: 'config', digest })
    assert.equal(readManifest(list, 's390x').is, 'unreadable')
    assert.equal(readManifest('nothing', 'amd64').is, 'unreadable')
    assert.equal(versionLabel({ config: { Labels: { 'io.openshift.release': '4.7.13' } } }), '4.7.13')
    assert.equal(versionLabel({ config: {} }), undefined)
  })
})
