import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allKinds, capi, Node, Pod, PodDisruptionBudget, type Resource, Secret } from '@windlass/api'
import { aCapiMachine, aControlPlaneComponent, aHostedCluster, aMachineConfigPool, aNodePool, aPod, aSecret } from '@windlass/api/fixtures'
import { VirtualClock } from '@windlass/core'
import type { Client } from '@windlass/kube'
import type { ClassicObjects, HostedObjects } from '../../model/objects.ts'
import { MemoryApi } from '../../testing/index.ts'
import { aClassicEvidence, aHostedEvidence, now, since } from '../testing/index.ts'
import { explain } from '../explain.ts'
import { gather } from './index.ts'

const builtins = [Secret, Pod, Node, PodDisruptionBudget] as readonly Resource[]

/** A client that remembers which kinds were asked for. */
function recording(api: MemoryApi): { readonly client: Client; readonly asked: string[] } {
  const asked: string[] = []
  const inner = api.client()
  const client = new Proxy(inner, {
    get(target, name: keyof Client) {
      const value = target[name]
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) => {
        if (name === 'list' || name === 'find' || name === 'get') asked.push((args[0] as Resource).kind)
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
  return { client, asked }
}

function hosted(client: Client, parts: Partial<HostedObjects> = {}): HostedObjects {
  const { id, hostedCluster, controlPlaneNamespace, components, pools } = aHostedEvidence()
  return {
    kind: 'Hosted',
    id,
    member: 'mgmt',
    client,
    isCurrent: true,
    unread: [],
    hostedCluster,
    controlPlaneNamespace,
    components,
    pools,
    ...parts,
  }
}

function classic(client: Client, parts: Partial<ClassicObjects> = {}): ClassicObjects {
  const { id, clusterVersion, operators, machineConfigPools, nodes, health } = aClassicEvidence()
  return {
    kind: 'Classic',
    id,
    member: id,
    client,
    isCurrent: true,
    unread: [],
    clusterVersion,
    operators,
    machineConfigPools,
    nodes,
    health,
    ...parts,
  }
}

const clock = () => new VirtualClock({ start: now })
const rolling = aControlPlaneComponent({
  status: { version: '4.19.6', conditions: [since(9, 'RolloutComplete', 'False', 'WaitingForRolloutComplete')] },
})
const updating = aNodePool({ status: { replicas: 3, version: '4.19.6', conditions: [since(9, 'UpdatingVersion', 'True', 'AsExpected')] } })
const unknown = async (objects: HostedObjects | ClassicObjects): Promise<readonly string[]> =>
  (await gather(objects, { clock: clock() })).unknown

describe('looking for causes', () => {
  it('asks nothing about clusters that rest', async () => {
    const { client, asked } = recording(new MemoryApi())
    await explain(hosted(client), { clock: clock() })
    await explain(classic(client), { clock: clock() })
    assert.deepEqual(asked, [])
  })

  it('asks about what the objects in memory point to, and nothing else', async () => {
    const api = new MemoryApi(...allKinds, ...builtins)
    const component = recording(api)
    await gather(hosted(component.client, { components: [rolling] }), { clock: clock() })
    assert.deepEqual(component.asked.toSorted(), [
      'Deployment',
      'Event',
      'HostedControlPlane',
      'Job',
      'PersistentVolumeClaim',
      'Pod',
      'StatefulSet',
    ])
    const pool = recording(api)
    await gather(hosted(pool.client, { pools: [updating] }), { clock: clock() })
    assert.deepEqual(pool.asked.toSorted(), ['Machine', 'MachineDeployment', 'MachineHealthCheck'])
    const nodes = recording(api)
    const behind = aMachineConfigPool({ status: { machineCount: 3, updatedMachineCount: 2, conditions: [] } })
    await gather(classic(nodes.client, { machineConfigPools: [behind] }), { clock: clock() })
    assert.deepEqual(nodes.asked, ['Node'])
  })

  it('says what it may not look at, and goes on without', async () => {
    const api = new MemoryApi(...allKinds, ...builtins)
    api.forbid(Pod)
    api.put(Pod, aPod())
    const [first, ...others] = await unknown(hosted(api.client(), { components: [rolling] }))
    assert.match(first ?? '', /^You may not look at pods in namespace clusters-prod: /)
    assert.deepEqual(others, [])
  })

  it('does without kinds that the server does not have', async () => {
    assert.deepEqual(await unknown(hosted(new MemoryApi().client(), { components: [rolling] })), [])
  })

  it('gives up on a question after five seconds', async () => {
    const time = clock()
    const silent: Client = new Proxy(new MemoryApi().client(), {
      get: (target, name: keyof Client) => {
        if (name !== 'list' && name !== 'find') return target[name]
        const never = new Promise<never>(() => undefined)
        return name === 'find' ? () => never : () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) })
      },
    })
    const gathered = gather(hosted(silent, { components: [rolling] }), { clock: time })
    await time.advance(5_000)
    const { unknown: sentences } = await gathered
    assert.ok(
      sentences.includes('pods in namespace clusters-prod could not be looked at: there was no answer within 5 seconds.'),
      sentences.join('\n'),
    )
  })

  it('ends when it is told to', async () => {
    const stopped = new AbortController()
    stopped.abort(new Error('enough'))
    const api = new MemoryApi(...allKinds, ...builtins)
    await assert.rejects(gather(hosted(api.client(), { components: [rolling] }), { clock: clock(), signal: stopped.signal }), /enough/)
  })

  it('does not ask a member that cannot be reached', async () => {
    const { client, asked } = recording(new MemoryApi())
    const objects = hosted(client, { components: [rolling], isCurrent: false })
    const view = await explain(objects, { clock: clock() })
    assert.deepEqual([asked, view.unknown], [[], ['mgmt cannot be reached: this is about what was last known of mgmt/clusters/prod.']])
  })
})

describe('looking into a hosted cluster', () => {
  const api = (): MemoryApi => {
    const management = new MemoryApi(...allKinds, ...builtins)
    management.put(
      Secret,
      aSecret({ name: 'prod-admin-kubeconfig', namespace: 'clusters', data: { kubeconfig: Buffer.from('the way').toString('base64') } }),
    )
    return management
  }
  const machine = (): capi.Machine => {
    const made = aCapiMachine({ name: 'workers-a' })
    const metadata = {
      ...made.metadata,
      deletionTimestamp: '2026-01-01T00:50:00Z',
      annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers' },
    }
    return {
      ...made,
      metadata,
      status: { nodeRef: { name: 'workers-a' }, conditions: [since(9, 'DrainingSucceeded', 'False', 'Draining')] },
    }
  }

  it('goes by the kubeconfig that people have, reads Pods of nodes that are drained and budgets beside them, and hangs up', async () => {
    const management = api()
    management.put(capi.Machine, machine())
    const inside = new MemoryApi(Node, Pod, PodDisruptionBudget)
    const node = (name: string): Node => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} })
    for (const name of ['workers-a', 'workers-b']) inside.put(Node, node(name))
    const { client, asked } = recording(inside)
    const closed: string[] = []
    const guest: Client = new Proxy(client, {
      get: (target, name: keyof Client) => (name === 'close' ? () => Promise.resolve(void closed.push('closed')) : target[name]),
    })
    const seen: string[] = []
    const connect = (kubeconfig: string, name: string): Client => {
      seen.push(`${name} by ${kubeconfig}`)
      return guest
    }
    const evidence = await gather(hosted(management.client(), { pools: [updating] }), { clock: clock(), connect })
    assert.deepEqual([seen, closed], [['mgmt/clusters/prod by the way'], ['closed']])
    assert.deepEqual(asked, ['Node', 'Pod'])
    assert.deepEqual(
      evidence.guest.nodes.map(({ metadata }) => metadata.name),
      ['workers-a', 'workers-b'],
    )
    assert.deepEqual(evidence.unknown, [])
  })

  it('says why it could not: no way, no kubeconfig, no answer', async () => {
    const objects = (management: MemoryApi) => hosted(management.client(), { pools: [updating] })
    assert.match(
      (await unknown(objects(api())))[0] ?? '',
      /^Nodes and operators of mgmt\/clusters\/prod were not looked at: there is no way/,
    )
    const connect = (): Client => {
      throw new Error('the certificate has expired')
    }
    const none = await gather(objects(new MemoryApi(...allKinds, ...builtins)), { clock: clock(), connect })
    assert.match(none.unknown[0] ?? '', /Secret clusters\/prod-admin-kubeconfig has no kubeconfig of it\.$/)
    const refused = await gather(objects(api()), { clock: clock(), connect })
    assert.deepEqual(refused.unknown, ['the API of mgmt/clusters/prod could not be looked at: the certificate has expired.'])
  })

  it('reads the whole HostedCluster when it is being deleted: caches leave finalizers out', async () => {
    const management = api()
    const whole = {
      ...aHostedCluster(),
      metadata: { ...aHostedCluster().metadata, deletionTimestamp: '2026-01-01T00:50:00Z', finalizers: ['a/b'] },
    }
    const kind: Resource = allKinds.find((each) => each.kind === 'HostedCluster') ?? assert.fail()
    management.put(kind, whole)
    const { finalizers: _, ...metadata } = whole.metadata
    const evidence = await gather(hosted(management.client(), { hostedCluster: { ...whole, metadata } }), { clock: clock() })
    assert.deepEqual(evidence.kind === 'Hosted' ? evidence.hostedCluster.metadata.finalizers : undefined, ['a/b'])
  })
})
