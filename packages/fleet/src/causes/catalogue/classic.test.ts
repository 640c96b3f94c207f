import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, Node, type Resource, toCrd } from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import type { Client } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import {
  clusterControllers,
  failureAnnotation,
  type InjectedKind,
  type InjectionMode,
  injectionModes,
  place,
  standaloneCluster,
} from '@windlass/simulator'
import { assertNamesFirst, describe as told, type Root } from './expectation.ts'
import { classicIn, why } from './objects-in.ts'

const start = Date.UTC(2026, 0, 1)
const versions = ['4.18.15', '4.18.16', '4.19.1']
const definitions = [ClusterVersion, ClusterOperator, MachineConfigPool, MachineConfig].map((kind) => toCrd(kind))

/** From everything to everything that is newer, in every channel. */
function updates() {
  const nodes = versions.map((version) => ({ version, payload: aReleaseImage(version), metadata: {} }))
  const edges = versions.flatMap((_, from) => versions.flatMap((_version, to) => (from < to ? [[from, to] as const] : [])))
  return { nodes, edges }
}

function given(client: Client): Promise<void> {
  const release = { version: '4.18.15', image: aReleaseImage('4.18.15') }
  return place(client, standaloneCluster({ release, installed: start - 86_400_000, channel: 'stable-4.18' }))
}

/** What happens to a cluster at 4.18.15. */
interface Story {
  /** Of the object that it goes wrong with. */
  readonly name: string
  /** The injection, where it says more than its name. */
  readonly failure?: string
  /** What is asked for; nothing unless told. */
  readonly to?: string
  /** How long it is left alone; 20 minutes unless told. The cluster is ten times as fast as a real one. */
  readonly after?: string
  readonly root: Omit<Root, 'kind' | 'name'> & Partial<Root>
}

type Kind = Exclude<InjectedKind, 'Machine' | 'MachineSet'>
type Stories = { readonly [K in Kind]: Readonly<Record<InjectionMode<K>, Story>> }

const update = '4.18.16'
const etcd = (reason: RegExp, more: Partial<Story> = {}): Story => ({ name: 'etcd', to: update, root: { reason }, ...more })
const version = (reason: RegExp, says: RegExp, more: Partial<Story> = {}): Story => ({
  name: 'version',
  to: update,
  root: { reason, says },
  ...more,
})
const ofNode = ['ClusterOperator', 'MachineConfigPool']

const stories: Stories = {
  ClusterOperator: {
    unavailable: etcd(/^NoReplicasAvailable$/),
    degraded: etcd(/^EtcdMembers$/, { failure: 'degraded reason=EtcdMembers' }),
    stuck: etcd(/^Updating$/),
    slow: etcd(/^Updating$/, { failure: 'slow factor=100' }),
    silent: etcd(/^VersionUnknown$/),
    'not-upgradeable': etcd(/^NotUpgradeable$/, { to: '4.19.1' }),
  },
  ClusterVersion: {
    'payload-unavailable': version(/^RetrievePayload$/, /cannot be pulled/),
    'payload-broken': version(/^LoadPayload$/, /cannot be read/),
    'payload-unverified': version(/^VerifyPayloadVersion$/, /signature/),
    precondition: version(/^PreconditionChecks$/, /no recent backup of etcd/),
    'not-upgradeable': version(/^AdminAckRequired$/, /has to acknowledge/, { to: '4.19.1' }),
    'no-updates': version(/^RemoteFailed$/, /update service does not answer/),
    'manifest-rejected': version(/^UpdatePayloadResourceInvalid$/, /Could not update deployment/),
    broken: version(/^Failing$/, /payload of the release cannot be read/),
    'no-conditions': version(/^NoConditions$/, /says nothing/),
    'no-history': version(/^NoHistory$/, /no history/),
  },
  MachineConfigPool: { render: { name: 'worker', root: { reason: /^RenderFailed$/, says: /cannot be merged/ } } },
  Node: {
    'not-ready': {
      name: 'worker-1',
      root: { reason: /^KubeletNotReady$/, says: /container runtime is down/, below: ['MachineConfigPool'] },
    },
    degraded: { name: 'master-1', to: update, root: { reason: /^Degraded$/, says: /unexpected on-disk state/, below: ofNode } },
    'drain-blocked': { name: 'master-1', to: update, root: { reason: /^(Draining|Degraded)$/, says: /drain/, below: ofNode } },
    'disk-pressure': { name: 'worker-1', root: { reason: /^KubeletHasDiskPressure$/, below: ['MachineConfigPool'] } },
    'network-unavailable': { name: 'worker-1', root: { reason: /^NoRouteCreated$/, below: ['MachineConfigPool'] } },
    slow: { name: 'master-1', failure: 'slow factor=1000', to: update, root: { reason: /^(NotBegun|Updating|Rebooting)$/, below: ofNode } },
  },
}

const kinds: Readonly<Record<Kind, Resource>> = { ClusterOperator, ClusterVersion, MachineConfigPool, Node }

async function play(world: World, kind: Kind, mode: string, { name, failure = mode, to, after = '20m' }: Story): Promise<void> {
  const annotations = { [failureAnnotation]: failure }
  await world.sleep('1m')
  // A release must be refused for what is wrong now, and not because nobody has found out yet that there is one.
  await world.client.patch(kinds[kind], { name }, { metadata: { annotations } })
  await world.sleep('1m')
  if (to !== undefined) await world.client.patch(ClusterVersion, { name: 'version' }, { spec: { desiredUpdate: { version: to } } })
  await world.sleep(after)
}

function run(seed: number, world: (world: World) => Promise<void>) {
  return simulate({ seed, definitions, given, controllers: () => clusterControllers({ seed, speed: 10, updates }), world })
}

describe('of everything that can go wrong in a classic cluster', () => {
  for (const [kind, modes] of Object.entries(stories) as [Kind, Readonly<Record<string, Story>>][]) {
    for (const [mode, story] of Object.entries(modes)) {
      it(`${mode} of a ${kind}: the root is named first`, { timeout: 60_000 }, async () => {
        await run(1, async (world) => {
          await play(world, kind, mode, story)
          const name = new RegExp(`^${story.name}$`)
          assertNamesFirst(await why(world, classicIn(world)), { kind, name, ...story.root })
        })
      })
    }
  }

  it('there is a story for each of them', () => {
    for (const kind of Object.keys(stories) as Kind[]) {
      assert.deepEqual(Object.keys(stories[kind]).toSorted(), [...injectionModes[kind]].map(String).toSorted(), kind)
    }
  })

  it('a cluster that rests waits for nothing, and is asked nothing', async () => {
    await run(1, async (world) => {
      await world.sleep('2m')
      const rested = await why(world, classicIn(world))
      assert.deepEqual(rested.chains, [], told(rested))
      assert.equal(rested.verdict, 'Cluster classic waits for nothing: it runs 4.18.15.')
    })
  })
})
