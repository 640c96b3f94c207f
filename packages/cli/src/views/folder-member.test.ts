import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, Event, HostedCluster, Node, type Resource } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { systemRandom, VirtualClock } from '@windlass/core'
import { createFleet } from '@windlass/fleet'
import { type Client, isNotFound, isUnknownKind, type ListOptions, silentLog } from '@windlass/kube'
import { folderMember } from './folder-member.ts'

const options = { clock: new VirtualClock(), random: systemRandom, userAgent: 'test', fieldManager: 'test' }
const node = (name: string, zone: string) =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { zone } }, spec: { providerID: name } }) as const
const objects = [aHostedCluster(), aHostedCluster({ name: 'other', namespace: 'lab' }), node('a', 'x'), node('b', 'y')]

async function names(client: Client, kind: Resource, selection: ListOptions = {}): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { metadata } of client.list(kind, selection)) found.push(metadata.name ?? '')
  return found
}

describe('a member made of files', () => {
  it('can be read as any API can', async () => {
    const client = await folderMember('files', objects, options).connect()
    assert.deepEqual(await names(client, HostedCluster), ['prod', 'other'])
    assert.deepEqual(await names(client, HostedCluster, { namespace: 'lab' }), ['other'])
    assert.deepEqual(await names(client, Node, { labelSelector: 'zone in (x)' }), ['a'])
    assert.deepEqual(await names(client, Node, { fieldSelector: 'spec.providerID=b' }), ['b'])
    assert.deepEqual(await names(client, Node, { fieldSelector: 'spec.providerID!=b' }), ['a'])
    assert.equal((await client.get(HostedCluster, { namespace: 'clusters', name: 'prod' })).metadata.name, 'prod')
    await assert.rejects(client.get(Node, { name: 'c' }), isNotFound)
    for (const kind of [ClusterVersion, Event]) await assert.rejects(names(client, kind), isUnknownKind)
    await assert.rejects(client.delete(Node, { name: 'a' }), /objects from files can only be read/)
  })

  it('makes a fleet', async () => {
    const clock = new VirtualClock()
    const fleet = createFleet({
      members: [folderMember('files', objects, { ...options, clock })],
      clock,
      random: systemRandom,
      log: silentLog,
    })
    const ending = new AbortController()
    const running = fleet.run(ending.signal)
    const ready = fleet.ready()
    await clock.advance(5000)
    await ready
    assert.deepEqual(
      fleet.view().clusters.map(({ id }) => id),
      ['files/clusters/prod', 'files/lab/other'],
    )
    ending.abort(new Error('done'))
    await clock.advance(5000)
    await running
  })
})
