import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { join } from 'node:path'
import { ConfigMap, type KubernetesObject, Namespace, Node, Pod, type Resource, UpgradeConfig } from '@windlass/api'
import { admin, startTestServer, userNamed } from '@windlass/apiserver/testing'
import { seededRandom, VirtualClock } from '@windlass/core'
import { type Client, createClient, createMetrics, createOperator, inProcessTransport, isForbidden, silentLog } from '@windlass/kube'
import { parseAllDocuments } from 'yaml'
import { configMapKey, configMapName } from '../config/index.ts'
import { upgradeControllers } from '../controllers.ts'
import { GaugeBoard } from '../metrics/index.ts'
import { FileIntegrity, fileIntegrityRef } from '../steps/fedramp-tasks.ts'
import { OutsideWorld } from '../testing/outside/index.ts'
import { defaultNamespace, entryOf } from '../upgrade-config/index.ts'
import { at, configRef, definitions, given, start, surroundings, usualConfig } from './stage.ts'

const folder = join(import.meta.dirname, '../../../../deploy/upgrades')

/** Every object of the folder that people apply. */
function deployed(): readonly KubernetesObject[] {
  return ['namespace.yaml', 'cluster-role.yaml', 'roles.yaml'].flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as KubernetesObject),
  )
}

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ConfigMap: 'configmaps',
  Namespace: 'namespaces',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ServiceAccount: 'serviceaccounts',
}

function resourceOf({ apiVersion, kind, metadata }: KubernetesObject): Resource {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const scope = metadata.namespace === undefined ? 'Cluster' : 'Namespaced'
  return { group, version, apiVersion, kind, plural: plurals[kind] ?? '', scope, hasStatusSubresource: false }
}

async function applyRights(client: Client): Promise<void> {
  const objects = deployed()
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))
  for (const name of [...namespaces, fileIntegrityRef.namespace]) {
    if ((await client.find(Namespace, { name })) === undefined) await client.create(Namespace, { metadata: { name } })
  }
  for (const object of objects) {
    const kind = resourceOf(object)
    const { name = '', namespace } = object.metadata
    if ((await client.find(kind, namespace === undefined ? { name } : { namespace, name })) === undefined) await client.create(kind, object)
  }
}

const integrities = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'fileintegrities.fileintegrity.openshift.io' },
  spec: {
    group: FileIntegrity.group,
    scope: 'Namespaced',
    names: { plural: FileIntegrity.plural, singular: 'fileintegrity', kind: FileIntegrity.kind, listKind: 'FileIntegrityList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

const phaseOf = (upgradeConfig: UpgradeConfig | undefined): string | undefined =>
  upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)?.phase

describe('the rights of the operator', () => {
  it('B01 are enough for a whole upgrade, with a lease, a blocked drain and a FedRAMP task; and not for more', async () => {
    const clock = new VirtualClock({ start })
    await using server = await startTestServer({ clock, definitions: [...definitions, integrities] as never })
    const refused: string[] = []
    const clientOf = (user: typeof admin, name: string): Client =>
      createClient({
        transport: inProcessTransport(
          async (request) => {
            const answer = await server.api.handle(request)
            if (answer.status === 403) refused.push(`${request.method} ${request.url}`)
            return answer
          },
          { user },
        ),
        clock,
        random: seededRandom(name),
        userAgent: name,
        fieldManager: name,
      })
    const people = clientOf(admin, 'people')
    const account = userNamed(`system:serviceaccount:${defaultNamespace}:managed-upgrade-operator`, 'system:serviceaccounts')
    const restricted = clientOf(account, 'operator')
    const outside = new OutsideWorld(start)
    const gauges = new GaugeBoard()
    const run = (client: Client, controllers: Parameters<typeof createOperator>[0]['controllers'], name: string, isElected = false) => {
      const random = seededRandom(`${name}/operator`)
      const election = { lease: { namespace: defaultNamespace, name: 'managed-upgrade-operator-lock' }, identity: name }
      const parts = { client, clock, random, log: silentLog, metrics: createMetrics(), instance: name, controllers }
      return createOperator({ ...parts, ...(isElected ? { election } : {}) }).run(stop.signal)
    }
    const stop = new AbortController()
    const play = async (): Promise<void> => {
      await given(people)
      await applyRights(people)
      await people.create(FileIntegrity, { metadata: { ...fileIntegrityRef, annotations: { kept: 'yes' } } })
      const spec = { nodeName: 'worker-0', containers: [{ name: 'main', image: 'example.com/checkout' }] }
      await people.create(Pod, { metadata: { namespace: 'shop', name: 'held', finalizers: ['example.com/wait'] }, spec })
      const controllers = upgradeControllers({ outside: outside.connect(clock), random: seededRandom('upgrades'), gauges })
      outside.ocm.schedule({ id: 'p1', version: '4.18.16', next_run: at(10) })
      const data = { [configMapKey]: `${usualConfig}environment: { fedramp: true }\nnodeDrain: { timeOut: 1 }\n` }
      await people.patch(ConfigMap, { namespace: defaultNamespace, name: configMapName }, { data })
      const running = [run(people, surroundings(1, 4), 'cluster'), run(restricted, controllers, 'operator', true)]
      while (phaseOf(await people.find(UpgradeConfig, configRef)) !== 'Upgraded') await clock.sleep(60_000)
      const integrity = await people.get(FileIntegrity, fileIntegrityRef)
      const { 'windlass.dev/re-init-for': upgrade, ...annotations } = integrity.metadata.annotations ?? {}
      assert.deepEqual(annotations, { kept: 'yes', 'file-integrity.openshift.io/re-init': '' })
      assert.match(upgrade ?? '', /^\S+\/4\.18\.16$/)
      stop.abort(new Error('it is over'))
      await Promise.all(running)
    }
    let isDone = false
    const playing = play().finally(() => (isDone = true))
    await clock.advanceUntil(() => isDone, 12 * 3_600_000)
    await playing
    assert.deepEqual(refused, [])
    assert.deepEqual(
      outside.ocm.told.map(({ what }) => what).filter((what) => what === 'started' || what === 'completed'),
      ['started', 'completed'],
    )
    const asking = assert.rejects(restricted.patch(Node, { name: 'worker-0' }, { spec: { unschedulable: true } }), isForbidden)
    await clock.advance(120_000)
    await asking
  })
})
