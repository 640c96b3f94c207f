import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../errors/api-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { applyStrategicPatch } from '../index.ts'

const string: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }
const strings: JsonSchema = { type: 'object', additionalProperties: string }
const struct = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties })
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const merging = (key: string, items: JsonSchema, strategy = 'merge'): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-patch-strategy': strategy,
  'x-kubernetes-patch-merge-key': key,
})

const configMap = struct({ data: strings })
const serviceAccount = struct({ secrets: merging('name', struct({ name: string })), imagePullSecrets: list(struct({ name: string })) })
const budget = struct({
  spec: struct({
    minAvailable: { 'x-kubernetes-int-or-string': true },
    maxUnavailable: { 'x-kubernetes-int-or-string': true },
    selector: { ...struct({ matchLabels: strings }), 'x-kubernetes-patch-strategy': 'replace' },
  }),
})
const service = struct({
  spec: struct({ selector: strings, ports: merging('port', struct({ name: string, port: integer, targetPort: integer })) }),
})
const pod = struct({
  containers: merging(
    'name',
    struct({
      name: string,
      image: string,
      command: list(string),
      env: merging('name', struct({ name: string, value: string })),
      ports: merging('containerPort', struct({ name: string, containerPort: integer })),
    }),
  ),
  volumes: merging('name', struct({ name: string, emptyDir: struct({}), configMap: struct({ name: string }) }), 'merge,retainKeys'),
})
const deployment = struct({
  spec: struct({
    replicas: integer,
    minReadySeconds: integer,
    template: struct({ metadata: struct({ annotations: strings }), spec: pod }),
  }),
})

const containers = [
  {
    name: 'c',
    image: 'i:1',
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ],
    ports: [{ containerPort: 80, name: 'http' }],
  },
  { name: 'd', image: 'j:1' },
]
const aDeployment = { metadata: { labels: { app: 'x' } }, spec: { replicas: 1, template: { spec: { containers } } } }
const inPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } })

/** The pod's spec after patches to it, one after the other. */
function patchedPod(...patches: readonly JsonObject[]): JsonObject {
  const result = patches.reduce<JsonObject>((document, patch) => applyStrategicPatch(document, inPod(patch), deployment), aDeployment)
  return (result as unknown as { spec: { template: { spec: JsonObject } } }).spec.template.spec
}

function names(spec: JsonObject): readonly string[] {
  return (spec.containers as unknown as readonly { name: string }[]).map(({ name }) => name)
}

const owner = (name: string, uid: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid })
const ownedBy = (owners: Json): JsonObject => ({ metadata: { ownerReferences: owners } })
const withEnv = (...values: readonly [string, string][]): JsonObject => ({
  containers: [
    { ...containers[0], env: values.map(([name, value]) => ({ name, value })) },
    { name: 'd', image: 'j:1' },
  ],
})
const command = (...words: readonly string[]): JsonObject => ({ containers: [{ name: 'c', command: words }] })

describe('recorded strategic merge patches', () => {
  it('SM-001 maps merge, null deletes', () => {
    const first = applyStrategicPatch(
      { data: { k: 'v', l: 'm' } },
      { data: { k: null, n: 'o' }, metadata: { labels: { x: 'y' } } },
      configMap,
    )
    assert.deepEqual(first, { data: { l: 'm', n: 'o' }, metadata: { labels: { x: 'y' } } })
  })

  it('SM-002 $patch replaces and deletes a map', () => {
    const replaced = applyStrategicPatch({ data: { k: 'v', l: 'm' } }, { data: { $patch: 'replace', n: 'o' } }, configMap)
    assert.deepEqual(replaced, { data: { n: 'o' } })
    assert.deepEqual(applyStrategicPatch(replaced, { data: { $patch: 'delete' } }, configMap), { data: {} })
  })

  it('SM-004 $retainKeys keeps only what it lists', () => {
    const result = applyStrategicPatch({ data: { k: 'v', l: 'm', n: 'o' } }, { data: { $retainKeys: ['k', 'p'], p: 'q' } }, configMap)
    assert.deepEqual(result, { data: { k: 'v', p: 'q' } })
  })

  it('SM-005 a patch that changes nothing gives back the object itself', () => {
    const document = { data: { k: 'v' } }
    assert.equal(applyStrategicPatch(document, { data: { k: 'v' } }, configMap), document)
    assert.equal(applyStrategicPatch(document, {}, configMap), document)
  })

  it('SM-006 the whole map by null, then again', () => {
    const without = applyStrategicPatch({ data: { k: 'v' } }, { data: null }, configMap)
    assert.deepEqual(without, {})
    assert.deepEqual(applyStrategicPatch(without, { data: { a: 'b' } }, configMap), { data: { a: 'b' } })
  })

  it('SM-007 finalizers merge as a set; $deleteFromPrimitiveList takes out', () => {
    const document = { metadata: { finalizers: ['x.example/a', 'x.example/b'] } }
    const added = applyStrategicPatch(document, { metadata: { finalizers: ['x.example/c'] } }, configMap)
    assert.deepEqual(added, { metadata: { finalizers: ['x.example/c', 'x.example/a', 'x.example/b'] } })
    const removed = applyStrategicPatch(added, { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example/a'] } }, configMap)
    assert.deepEqual(removed, { metadata: { finalizers: ['x.example/c', 'x.example/b'] } })
    assert.deepEqual(applyStrategicPatch(removed, { metadata: { finalizers: null } }, configMap), { metadata: {} })
  })

  it('SM-009 ownerReferences merge by uid', () => {
    const two = applyStrategicPatch(ownedBy([owner('o1', 'u1')]), ownedBy([{ ...owner('o2', 'u2'), controller: true }]), configMap)
    assert.deepEqual(two, ownedBy([{ ...owner('o2', 'u2'), controller: true }, owner('o1', 'u1')]))
    const blocking = applyStrategicPatch(two, ownedBy([{ uid: 'u1', blockOwnerDeletion: true }]), configMap)
    assert.deepEqual(
      blocking,
      ownedBy([
        { ...owner('o2', 'u2'), controller: true },
        { ...owner('o1', 'u1'), blockOwnerDeletion: true },
      ]),
    )
    const one = applyStrategicPatch(blocking, ownedBy([{ $patch: 'delete', uid: 'u2' }]), configMap)
    assert.deepEqual(one, ownedBy([{ ...owner('o1', 'u1'), blockOwnerDeletion: true }]))
  })

  it('SM-012 secrets merge by name, imagePullSecrets are replaced', () => {
    const account = { secrets: [{ name: 's1' }], imagePullSecrets: [{ name: 'p1' }] }
    const both = applyStrategicPatch(account, { secrets: [{ name: 's2' }], imagePullSecrets: [{ name: 'p2' }] }, serviceAccount)
    assert.deepEqual(both, { secrets: [{ name: 's2' }, { name: 's1' }], imagePullSecrets: [{ name: 'p2' }] })
    const one = applyStrategicPatch(both, { secrets: [{ $patch: 'delete', name: 's1' }] }, serviceAccount)
    assert.deepEqual(one, { secrets: [{ name: 's2' }], imagePullSecrets: [{ name: 'p2' }] })
  })

  it('SM-015 containers merge by name, a new one comes first, others stay', () => {
    const changed = patchedPod({ containers: [{ name: 'c', image: 'i:2' }] })
    assert.deepEqual(changed, { containers: [{ ...containers[0], image: 'i:2' }, containers[1]] })
    assert.deepEqual(names(patchedPod({ containers: [{ name: 'e', image: 'k:1' }] })), ['e', 'c', 'd'])
  })

  it('SM-016 env merges by name inside a container', () => {
    const added = {
      containers: [
        {
          name: 'c',
          env: [
            { name: 'B', value: '3' },
            { name: 'C', value: '4' },
          ],
        },
      ],
    }
    assert.deepEqual(patchedPod(added), withEnv(['A', '1'], ['B', '3'], ['C', '4']))
    assert.deepEqual(
      patchedPod(added, { containers: [{ name: 'c', env: [{ name: 'A', $patch: 'delete' }] }] }),
      withEnv(['B', '3'], ['C', '4']),
    )
  })

  it('SM-017 $patch delete removes a container', () => {
    assert.deepEqual(names(patchedPod({ containers: [{ name: 'd', $patch: 'delete' }] })), ['c'])
  })

  it('SM-019 $setElementOrder orders the containers', () => {
    const swap = { '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }] }
    assert.deepEqual(names(patchedPod(swap)), ['d', 'c'])
    const insert = {
      '$setElementOrder/containers': [{ name: 'e' }, { name: 'c' }, { name: 'd' }],
      containers: [{ name: 'e', image: 'e:1' }],
    }
    assert.deepEqual(names(patchedPod(swap, insert)), ['e', 'c', 'd'])
  })

  it('SM-020 a container without its merge key', () => {
    assert.throws(() => patchedPod({ containers: [{ image: 'i:2' }] }), /^ApiError: map: .* does not contain declared merge key: name$/)
    assert.throws(() => patchedPod({ containers: [{ image: 'i:2' }] }), { code: 500 })
  })

  it('SM-021 ports merge by containerPort, new ones first', () => {
    const spec = patchedPod({ containers: [{ name: 'c', ports: [{ containerPort: 443, name: 'https' }] }] })
    const ports = [
      { containerPort: 443, name: 'https' },
      { containerPort: 80, name: 'http' },
    ]
    assert.deepEqual(spec, { containers: [{ ...containers[0], ports }, containers[1]] })
  })

  it('SM-022 volumes with $retainKeys replace the source', () => {
    const first = { volumes: [{ name: 'v', emptyDir: {} }] }
    const second = { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'cm' } }] }
    assert.deepEqual(patchedPod(first, second).volumes, [{ name: 'v', configMap: { name: 'cm' } }])
  })

  it('SM-024 a list without merge key is replaced', () => {
    assert.deepEqual(patchedPod(command('a', 'b'), command('z')), {
      containers: [{ ...containers[0], command: ['z'] }, containers[1]],
    })
  })

  it('SM-025 null deletes a field', () => {
    const patched = applyStrategicPatch(aDeployment, { spec: { replicas: null, minReadySeconds: 5 } }, deployment)
    assert.deepEqual(patched.spec, { minReadySeconds: 5, template: aDeployment.spec.template })
  })

  it('SM-034 service ports merge by port', () => {
    const document = { spec: { selector: { a: 'b' }, ports: [{ name: 'http', port: 80, targetPort: 80 }] } }
    const added = applyStrategicPatch(document, { spec: { ports: [{ name: 'https', port: 443 }] } }, service)
    const changed = applyStrategicPatch(
      added,
      { spec: { ports: [{ port: 80, targetPort: 8080 }], selector: { a: null, c: 'd' } } },
      service,
    )
    assert.deepEqual(changed, {
      spec: {
        selector: { c: 'd' },
        ports: [
          { name: 'https', port: 443 },
          { name: 'http', port: 80, targetPort: 8080 },
        ],
      },
    })
  })

  it('SM-035 the selector of a disruption budget is replaced as a whole', () => {
    const document = { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }
    const patch = { spec: { minAvailable: null, maxUnavailable: '50%', selector: { matchLabels: { c: 'd' } } } }
    assert.deepEqual(applyStrategicPatch(document, patch, budget), {
      spec: { maxUnavailable: '50%', selector: { matchLabels: { c: 'd' } } },
    })
  })

  it('SM-039 patches that are no objects, and results that are no objects of the kind', () => {
    const document = { data: { k: 'v' } }
    const refused = (patch: Json): ApiError => {
      try {
        applyStrategicPatch(document, patch, configMap)
      } catch (error) {
        if (error instanceof ApiError) return error
      }
      return assert.fail('the patch was not refused')
    }
    assert.equal(refused([]).code, 400)
    assert.match(refused([]).message, /^json: /)
    for (const [patch, why] of [
      [{ data: 'text' }, 'cannot restore map from string'],
      [{ data: { k: 5 } }, 'cannot convert int64 to string'],
    ] as const) {
      const error = refused(patch)
      assert.equal(error.code, 422)
      const shown = `Invalid value: ${JSON.stringify(JSON.stringify(patch))}: ${why}`
      assert.equal(error.message, ` "" is invalid: patch: ${shown}`)
      assert.deepEqual(error.status.details, { causes: [{ reason: 'FieldValueInvalid', message: shown, field: 'patch' }] })
    }
    assert.deepEqual(applyStrategicPatch(document, { nonsense: 1 }, configMap), { data: { k: 'v' }, nonsense: 1 })
  })

  it('SM-040 a list where the patch has an object, an object where it has a list', () => {
    assert.throws(() => patchedPod({ containers: { name: 'c' } }), { code: 422 })
    assert.throws(() => applyStrategicPatch(aDeployment, { metadata: { labels: ['a'] } }, deployment), { code: 422 })
  })
})

describe('strategic merge patch', () => {
  it('drops directives and nulls where there is nothing to merge with', () => {
    const result = applyStrategicPatch(
      {},
      inPod({ containers: [{ name: 'c', image: null, env: [{ name: 'A', $patch: 'delete' }] }] }),
      deployment,
    )
    assert.deepEqual(result, inPod({ containers: [{ name: 'c', env: [] }] }))
  })

  it('replaces a whole list when one element says so', () => {
    assert.deepEqual(patchedPod({ containers: [{ $patch: 'replace' }, { name: 'e', image: 'e:1' }] }), {
      containers: [{ name: 'e', image: 'e:1' }],
    })
  })

  it('refuses directives that it does not know', () => {
    assert.throws(() => applyStrategicPatch({ data: {} }, { data: { $patch: 'explode' } }, configMap), { code: 500 })
    assert.throws(() => patchedPod({ containers: [{ name: 'c', $patch: 'explode' }] }), { code: 500 })
  })

  it('refuses $retainKeys that leave out what the patch sets', () => {
    assert.throws(() => applyStrategicPatch({ data: {} }, { data: { $retainKeys: ['a'], b: 'c' } }, configMap), { code: 400 })
  })

  it('refuses an order that the changes do not follow', () => {
    const patch = { '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }], containers: [{ name: 'c' }, { name: 'd' }] }
    assert.throws(() => patchedPod(patch), { code: 500 })
  })

  it('keeps every part that it does not touch', () => {
    const patched = applyStrategicPatch(aDeployment, { spec: { replicas: 2 } }, deployment)
    assert.equal(patched.metadata, aDeployment.metadata)
    assert.equal((patched as unknown as typeof aDeployment).spec.template, aDeployment.spec.template)
  })
})
