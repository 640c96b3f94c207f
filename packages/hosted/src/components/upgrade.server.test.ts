import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ConfigMap,
  ControlPlaneComponent,
  CronJob,
  Deployment,
  HostedControlPlane,
  Job,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
  StatefulSet,
  toCrd,
} from '@windlass/api'
import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import { aCondition, aDeployment, aHostedControlPlane, aReleaseImage } from '@windlass/api/fixtures'
import { startTestServer } from '@windlass/apiserver/testing'
import type { TestServer } from '@windlass/apiserver/testing'
import type { Action } from '@windlass/kube'
import { reconcileComponents } from './loop.ts'
import type { Pass } from './loop.ts'
import type { Observed } from './observed.ts'
import { componentsOf, registry } from './registry.ts'
import { aNamespaceWith, aRelease, imageAt, noFacts } from './testing/index.ts'

const kinds: readonly Resource[] = [
  Deployment,
  StatefulSet,
  Job,
  CronJob,
  ServiceAccount,
  Role,
  RoleBinding,
  ConfigMap,
  Secret,
  Service,
  PodDisruptionBudget,
  ServiceMonitor,
  ControlPlaneComponent,
]

const namespace = 'clusters-prod'

function urlOf({ group, version, plural }: Resource, name?: string): string {
  const base = `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${plural}`
  return name === undefined ? base : `${base}/${name}`
}

/** A control plane on a real API server, and everything that a laptop does not have: pods come up when told. */
class World {
  readonly server: TestServer
  /** What was written, in order: `patch Deployment kube-apiserver`. */
  writes: string[] = []
  version = '4.19.6'
  hcp: HostedControlPlane = aHostedControlPlane()
  #objects: readonly KubernetesObject[] = []

  constructor(server: TestServer) {
    this.server = server
  }

  async begin(): Promise<void> {
    await this.server.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    const { name, annotations = {} } = this.hcp.metadata
    const { apiVersion, kind, spec } = this.hcp
    await this.#send('POST', urlOf(HostedControlPlane), { apiVersion, kind, metadata: { name, annotations }, spec })
    // As a whole: a merge patch would read the nulls in it as removals.
    const made = await this.#send('GET', urlOf(HostedControlPlane, 'prod'))
    await this.#send('PUT', `${urlOf(HostedControlPlane, 'prod')}/status`, { ...made, status: this.hcp.status })
    await this.read()
  }

  async change(patch: object): Promise<void> {
    await this.#send('PATCH', urlOf(HostedControlPlane, 'prod'), patch)
    await this.read()
  }

  async read(): Promise<void> {
    const objects: KubernetesObject[] = []
    for (const { apiVersion, kind, ...resource } of kinds) {
      const { items } = await this.#send<{ items: readonly KubernetesObject[] }>('GET', urlOf({ apiVersion, kind, ...resource }))
      objects.push(...items.map((item) => ({ ...item, apiVersion, kind })))
    }
    this.#objects = objects
    this.hcp = await this.#send('GET', urlOf(HostedControlPlane, 'prod'))
  }

  find<T extends KubernetesObject>(kind: Resource<T>, name: string): T | undefined {
    return aNamespaceWith(this.#objects).find(kind, name)
  }

  observe(): Observed {
    const live = aNamespaceWith(this.#objects)
    const components = this.#objects.filter((object): object is ControlPlaneComponent => object.kind === 'ControlPlaneComponent')
    return { hcp: this.hcp, release: aRelease(this.version), facts: noFacts, registry, components, namespace: live }
  }

  /** One pass over all components. */
  async pass(): Promise<Pass> {
    this.writes = []
    const components = componentsOf(this.hcp, 'hosted-control-plane')
    const hands = { act: (action: Action) => this.#act(action), sign: () => Promise.resolve() }
    const pass = await reconcileComponents(
      components,
      () => this.observe(),
      hands,
      () => this.server.clock.now(),
    )
    if (pass.error !== undefined) throw pass.error
    await this.read()
    return pass
  }

  async #act(action: Action): Promise<KubernetesObject | undefined> {
    if (action.do === 'patch') {
      const { kind, ref, patch, resourceVersion } = action
      const { metadata = {} } = patch as { metadata?: object }
      this.writes.push(`patch ${kind.kind} ${ref.name}`)
      return this.#send('PATCH', urlOf(kind, ref.name), { ...patch, metadata: { ...metadata, resourceVersion } })
    }
    assert.ok(action.do === 'create' || action.do === 'delete' || action.do === 'status', `unexpected action ${action.do}`)
    const { kind, object } = action
    const { name = '' } = object.metadata
    this.writes.push(`${action.do} ${kind.kind} ${name}`)
    if (action.do === 'create') return this.#send('POST', urlOf(kind), { apiVersion: kind.apiVersion, kind: kind.kind, ...object })
    if (action.do === 'status') return this.#send('PATCH', `${urlOf(kind, name)}/status`, { status: action.status })
    await this.server.send('DELETE', urlOf(kind, name), { propagationPolicy: action.propagation })
    return undefined
  }

  async #send<Body = KubernetesObject>(method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: object): Promise<Body> {
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}
    const answer = await this.server.send(method, url, body, headers)
    assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}\n${JSON.stringify(body)}`)
    return JSON.parse(answer.text) as Body
  }

  /** What controllers and kubelets would do: everything that was asked for comes up. */
  async rollOut(): Promise<void> {
    for (const object of this.#objects) {
      const { name = '', generation = 0 } = object.metadata
      const { spec } = object as { readonly spec?: { readonly replicas?: number } }
      const replicas = spec?.replicas ?? 0
      const counts = {
        observedGeneration: generation,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
      }
      const available = { ...aCondition('Available', 'True'), lastUpdateTime: '2026-01-01T00:00:00Z' }
      if (object.kind === 'Deployment')
        await this.#send('PATCH', `${urlOf(Deployment, name)}/status`, { status: { ...counts, conditions: [available] } })
      if (object.kind === 'StatefulSet') await this.#send('PATCH', `${urlOf(StatefulSet, name)}/status`, { status: counts })
      if (object.kind === 'Job' && object.metadata.deletionTimestamp === undefined) await this.#completeJob(object)
    }
    await this.#bringOperands()
    await this.server.settle()
    await this.read()
  }

  async #completeJob(job: KubernetesObject): Promise<void> {
    const { name = '' } = job.metadata
    if ((job as Job).status?.conditions?.some(({ type }) => type === 'Complete') === true) return
    const time = '2026-01-01T01:00:00Z'
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', reason: 'CompletionsReached' }))
    await this.#send('PATCH', `${urlOf(Job, name)}/status`, { status: { succeeded: 1, startTime: time, completionTime: time, conditions } })
  }

  /** What operators of the control plane make by themselves. */
  async #bringOperands(): Promise<void> {
    const operands = [
      ['ovnkube-control-plane', 'ovnkube-control-plane', 'ovn-kubernetes'],
      ['network-node-identity', 'approver', 'ovn-kubernetes'],
      ['multus-admission-controller', 'multus-admission-controller', 'multus-admission-controller'],
      ['csi-snapshot-controller', 'snapshot-controller', 'csi-snapshot-controller'],
    ] as const
    for (const [name, container, image] of operands) {
      const { spec } = aDeployment({ name })
      const template = {
        ...spec.template,
        spec: { ...spec.template.spec, containers: [{ name: container, image: imageAt(this.version, image) }] },
      }
      const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { ...spec, template } }
      if (this.find(Deployment, name) === undefined) await this.#send('POST', urlOf(Deployment), body)
      else await this.#send('PATCH', urlOf(Deployment, name), { spec: { template } })
    }
  }

  /** Passes until nothing is written any more. */
  async settle(): Promise<readonly (readonly string[])[]> {
    const passes: (readonly string[])[] = []
    for (let count = 0; count < 20; count++) {
      await this.pass()
      if (this.writes.length === 0) return passes
      passes.push(this.writes)
      await this.rollOut()
    }
    throw new assert.AssertionError({ message: `20 passes and still writing: ${this.writes.join(', ')}` })
  }

  versions(): ReadonlyMap<string, string | undefined> {
    const { components } = this.observe()
    assert.ok(!(components instanceof Error))
    return new Map(components.map(({ metadata, status }) => [metadata.name ?? '', status?.version]))
  }
}

async function withWorld(hcp: HostedControlPlane, use: (world: World) => Promise<void>): Promise<void> {
  const definitions = [HostedControlPlane, ControlPlaneComponent, ServiceMonitor].map(
    (kind) => JSON.parse(JSON.stringify(toCrd(kind))) as JsonObject,
  )
  await using server = await startTestServer({ definitions })
  const world = new World(server)
  world.hcp = hcp
  await world.begin()
  await use(world)
}

const passOf = (passes: readonly (readonly string[])[], write: string) => passes.findIndex((writes) => writes.includes(write))

describe('on an API server, the components of a control plane', () => {
  it('are made in the order of their dependencies, roll out another release in that order, and are put back when somebody changes them', () =>
    withWorld(aHostedControlPlane({ spec: { nodeSelector: { disk: 'fast' } } }), async (world) => {
      const install = await world.settle()
      assert.deepEqual(
        ['StatefulSet etcd', 'Deployment kube-apiserver', 'Deployment openshift-apiserver', 'Deployment dns-operator'].map((workload) =>
          passOf(install, `create ${workload}`),
        ),
        [0, 2, 4, 6],
      )
      const { size } = world.versions()
      assert.equal(size, 33, '46 without those of other platforms, and without those that need what is not there')
      assert.deepEqual(new Set(world.versions().values()), new Set(['4.19.6']))
      assert.deepEqual(world.writes, [], 'W9 a pass with nothing new writes nothing')

      // Another release, and something that is no longer wanted.
      world.version = '4.20.1'
      await world.change({ spec: { releaseImage: aReleaseImage('4.20.1'), nodeSelector: null } })
      const upgrade = await world.settle()
      assert.equal(passOf(upgrade, 'patch StatefulSet etcd'), 0)
      assert.equal(passOf(upgrade, 'delete Job featuregate-generator'), 0)
      const [api = 0, rest = 0, last = 0] = ['kube-apiserver', 'kube-scheduler', 'dns-operator'].map((name) =>
        passOf(upgrade, `patch Deployment ${name}`),
      )
      assert.ok(api > 0 && rest > api && last > rest, `${api} ${rest} ${last}`)
      assert.deepEqual(new Set(world.versions().values()), new Set(['4.20.1']))
      const pods = world.find(Deployment, 'kube-scheduler')?.spec.template.spec
      assert.deepEqual(
        pods?.containers.map(({ image }) => image),
        [imageAt('4.20.1', 'hyperkube')],
      )
      assert.equal(pods?.nodeSelector, undefined)
      assert.equal(world.find(StatefulSet, 'etcd')?.spec.template.spec.nodeSelector, undefined)

      // Somebody else has ideas.
      const url = urlOf(Deployment, 'kube-scheduler')
      await world.server.merge(url, { metadata: { labels: { theirs: 'yes' } }, spec: { replicas: 7 } })
      await world.read()
      await world.pass()
      assert.equal(world.writes[0], 'patch Deployment kube-scheduler')
      const restored = world.find(Deployment, 'kube-scheduler')
      assert.equal(restored?.spec.replicas, 2)
      assert.equal(restored.metadata.labels?.['theirs'], 'yes')
    }))

  it('with one replica each are valid too; monitors come when the guest is installed; what is disabled goes', () =>
    withWorld(
      aHostedControlPlane({
        spec: { controllerAvailabilityPolicy: 'SingleReplica', platform: { type: 'None' } },
        status: {
          ready: true,
          initialized: true,
          kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
          conditions: [aCondition('ClusterVersionAvailable', 'True')],
        },
      }),
      async (world) => {
        const passes = await world.settle()
        assert.ok(passOf(passes, 'create ServiceMonitor kube-apiserver') > 0)
        assert.equal(world.find(Deployment, 'kube-apiserver')?.spec.replicas, 1)
        assert.equal(world.find(PodDisruptionBudget, 'kube-apiserver')?.spec.minAvailable, 1)

        await world.change({ metadata: { annotations: { 'hypershift.openshift.io/disable-ignition-server': '' } } })
        await world.pass()
        assert.deepEqual(
          world.writes.filter((write) => write.endsWith(' ignition-server')),
          ['Deployment', 'ServiceAccount', 'Role', 'RoleBinding', 'Service', 'ServiceMonitor', 'ControlPlaneComponent'].map(
            (kind) => `delete ${kind} ignition-server`,
          ),
        )
        assert.equal(world.find(ControlPlaneComponent, 'ignition-server'), undefined)
      },
    ))
})
