import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  AWSMachineTemplate,
  capi,
  ConfigMap,
  HostedCluster,
  KubevirtMachineTemplate,
  Namespace,
  NodePool,
  Secret,
  toCrd,
} from '@windlass/api'
import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import { aHostedCluster, aReleaseImage } from '@windlass/api/fixtures'
import { startTestServer } from '@windlass/apiserver/testing'
import type { TestServer } from '@windlass/apiserver/testing'
import { type Action, ensurePatch } from '@windlass/kube'
import { World } from '../hosted-cluster/testing/index.ts'
import { decideNodePool, type NodePoolPlan } from './decide.ts'
import { aNewPool, aPlace, noon, observe, poolIn, said, settings } from './testing/index.ts'

const customKinds = [
  HostedCluster,
  NodePool,
  capi.MachineDeployment,
  capi.MachineSet,
  capi.Machine,
  capi.MachineHealthCheck,
  KubevirtMachineTemplate,
  AWSMachineTemplate,
]
const kinds: readonly Resource[] = [...customKinds, Namespace, Secret, ConfigMap]

function urlOf({ group, version, plural, scope }: Resource, namespace = '', name?: string): string {
  const place = scope === 'Cluster' || namespace === '' ? '' : `/namespaces/${namespace}`
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${place}/${plural}${name === undefined ? '' : `/${name}`}`
}

/** A management cluster on a real API server, with all schemas and rules of the kinds that a pool writes. */
class Management {
  readonly server: TestServer

  constructor(server: TestServer) {
    this.server = server
  }

  async begin(pool: NodePool, cluster: HostedCluster): Promise<void> {
    const objects = [...aPlace(cluster), pool]
    for (const object of [...objects.filter(({ kind }) => kind === 'Namespace'), ...objects.filter(({ kind }) => kind !== 'Namespace')]) {
      const kind = kinds.find((each) => each.kind === object.kind) ?? assert.fail(object.kind)
      const { name = '', namespace, labels = {}, annotations = {} } = object.metadata
      const { status, ...rest } = object as KubernetesObject & { status?: unknown }
      const metadata = { name, labels, annotations, ...(namespace === undefined ? {} : { namespace }) }
      const made = await this.send<KubernetesObject>('POST', urlOf(kind, namespace), { ...rest, metadata })
      if (kind.hasStatusSubresource && status !== undefined && kind.kind !== 'Namespace')
        await this.send('PUT', `${urlOf(kind, namespace, name)}/status`, { ...made, status })
    }
  }

  /** One request, one answer, whatever it is. */
  ask(method: string, url: string, body?: object): ReturnType<TestServer['send']> {
    return this.server.send(method, url, body, method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {})
  }

  async send<T>(method: string, url: string, body?: object): Promise<T> {
    const { status, text } = await this.ask(method, url, body)
    assert.ok(status < 300, `${method} ${url}: ${text}`)
    return JSON.parse(text) as T
  }

  async read(): Promise<World> {
    const objects: KubernetesObject[] = []
    for (const { apiVersion, kind, ...resource } of kinds) {
      const { items } = await this.send<{ items: readonly KubernetesObject[] }>('GET', urlOf({ apiVersion, kind, ...resource }))
      objects.push(...items.map((item) => ({ ...item, apiVersion, kind })))
    }
    return new World(objects)
  }

  async pass(): Promise<NodePoolPlan> {
    const world = await this.read()
    const plan = decideNodePool(observe(world), noon, settings, { token: '00000000-0000-4000-8000-000000000001' })
    for (const action of plan.actions) await this.#act(action, world)
    return plan
  }

  async #act(action: Action, world: World): Promise<void> {
    switch (action.do) {
      case 'create':
        await this.send('POST', urlOf(action.kind, action.object.metadata.namespace), {
          ...action.object,
          apiVersion: action.kind.apiVersion,
          kind: action.kind.kind,
        })
        return
      case 'ensure': {
        const { name = '', namespace = '' } = action.object.metadata
        const live = world.find(action.kind, { namespace, name })
        const body = { ...action.object, apiVersion: action.kind.apiVersion, kind: action.kind.kind }
        if (live === undefined) await this.send('POST', urlOf(action.kind, namespace), body)
        else await this.send('PATCH', urlOf(action.kind, namespace, name), ensurePatch(live, action.object, action.owns) ?? {})
        return
      }
      case 'patch':
        await this.send('PATCH', urlOf(action.kind, action.ref.namespace, action.ref.name), action.patch)
        return
      case 'status': {
        const { name = '', namespace } = action.object.metadata
        await this.send('PATCH', `${urlOf(action.kind, namespace, name)}/status`, { status: action.status })
        return
      }
      case 'delete':
        await this.send('DELETE', urlOf(action.kind, action.object.metadata.namespace, action.object.metadata.name))
        return
      case 'event':
        return
      case 'apply':
        return assert.fail('nothing here applies')
      default:
        return action satisfies never
    }
  }
}

async function started(pool: NodePool = aNewPool()): Promise<Management & AsyncDisposable> {
  const server = await startTestServer({ definitions: customKinds.map((kind) => JSON.parse(JSON.stringify(toCrd(kind))) as JsonObject) })
  const management = new Management(server)
  await management.begin(pool, aHostedCluster())
  return Object.assign(management, { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() })
}

describe('a pool on an API server', () => {
  it('NP-01 everything that the first pass writes is taken, and the next pass has nothing to write', async () => {
    await using management = await started()
    assert.equal((await management.pass()).error, undefined)
    const world = await management.read()
    assert.deepEqual(poolIn(world).metadata.finalizers, ['hypershift.openshift.io/finalizer'])
    assert.equal(said(poolIn(world), 'UpdatingVersion'), 'True/AsExpected')
    assert.equal(world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })?.spec.replicas, 3)
    // Secrets are there now, which the second pass says; after that there is nothing to say.
    await management.pass()
    assert.deepEqual((await management.pass()).actions, [])
  })

  it('NP-53 the same goes for a pool whose nodes stay', async () => {
    await using management = await started(aNewPool({ spec: { management: { upgradeType: 'InPlace', autoRepair: false } } }))
    await management.pass()
    await management.pass()
    const world = await management.read()
    assert.equal(poolIn(world).status?.version, '4.19.6')
    await management.pass()
    assert.deepEqual((await management.pass()).actions, [])
  })

  it('NP-64 leaves nothing behind when it is deleted', async () => {
    await using management = await started()
    await management.pass()
    await management.send('DELETE', urlOf(NodePool, 'clusters', 'workers'))
    await management.pass()
    const world = await management.read()
    assert.deepEqual(world.list(NodePool), [])
    assert.deepEqual([...world.list(capi.MachineDeployment), ...world.list(KubevirtMachineTemplate)], [])
    assert.deepEqual(
      world.list(Secret, { namespace: 'clusters-prod' }).map(({ metadata }) => metadata.name),
      ['ignition-server-ca-cert'],
    )
  })

  it('NP-10 cannot change its cluster, its platform, its processors, nor how it is upgraded', async () => {
    await using management = await started()
    for (const [patch, message] of [
      [{ spec: { clusterName: 'other' } }, 'ClusterName is immutable'],
      [{ spec: { management: { upgradeType: 'InPlace' } } }, 'UpgradeType is immutable'],
      [{ spec: { platform: { type: 'None' } } }, 'Type is immutable'],
      [{ spec: { arch: 's390x' } }, 'Arch is immutable'],
    ] satisfies [object, string][]) {
      const { status, text } = await management.ask('PATCH', urlOf(NodePool, 'clusters', 'workers'), patch)
      assert.equal(status, 422)
      assert.ok(text.includes(message), text)
    }
  })

  it('NP-11 cannot have a size and bounds for the autoscaler', async () => {
    await using management = await started()
    const patch = { spec: { autoScaling: { min: 1, max: 3 } } }
    const { status, text } = await management.ask('PATCH', urlOf(NodePool, 'clusters', 'workers'), patch)
    assert.equal(status, 422)
    assert.ok(text.includes('Both replicas or autoScaling should not be set'), text)
    const moved = await management.ask('PATCH', urlOf(NodePool, 'clusters', 'workers'), {
      spec: { release: { image: aReleaseImage('4.19.7') } },
    })
    assert.equal(moved.status, 200)
  })
})
