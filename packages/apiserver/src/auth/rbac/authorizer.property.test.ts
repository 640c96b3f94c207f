import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isArray, isObject, type Json, type JsonObject } from '../../json.ts'
import { isPathRequest, type Attributes } from '../attributes.ts'
import type { User } from '../user.ts'
import { RbacAuthorizer } from './authorizer.ts'
import { kindOf } from './fixtures.ts'

/** A second opinion: looks at every binding, every subject and every rule, straight from the objects. */
function naivelyAllowed(objects: readonly JsonObject[], user: User, attributes: Attributes): boolean {
  const namespace = isPathRequest(attributes) ? '' : attributes.namespace
  return objects.some((binding) => {
    const { namespace: own } = metadataOf(binding)
    const reaches = binding.kind === 'ClusterRoleBinding' || (binding.kind === 'RoleBinding' && namespace !== '' && own === namespace)
    if (!reaches || !listOf(binding.subjects).some((subject) => names(subject, user, own))) return false
    const ref = isObject(binding.roleRef) ? binding.roleRef : {}
    const role = objects.find(
      (each) =>
        each.kind === ref.kind && metadataOf(each).name === ref.name && (ref.kind === 'ClusterRole' || metadataOf(each).namespace === own),
    )
    return listOf(role?.rules).some((rule) => grants(rule, attributes))
  })
}

interface Identity {
  readonly name: string
  readonly namespace: string
}

/** Names are texts in all generated objects; cluster-wide ones have no namespace. */
function metadataOf(object: JsonObject): Identity {
  const { name, namespace } = isObject(object.metadata) ? object.metadata : {}
  return { name: text(name), namespace: text(namespace) }
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const listOf = (value: Json | undefined): readonly JsonObject[] => (isArray(value) ? value.filter(isObject) : [])

function names(subject: JsonObject, user: User, bindingNamespace: string): boolean {
  if (subject.kind === 'User') return subject.name === user.name
  if (subject.kind === 'Group') return user.groups.some((group) => group === subject.name)
  const namespace = text(subject.namespace) || bindingNamespace
  return namespace !== '' && user.name === `system:serviceaccount:${namespace}:${text(subject.name)}`
}

function grants(rule: JsonObject, attributes: Attributes): boolean {
  const lists = (key: string, test: (value: string) => boolean): boolean => {
    const values = rule[key]
    return isArray(values) && values.some((value) => value === '*' || test(text(value)))
  }
  if (!lists('verbs', (verb) => verb === attributes.verb)) return false
  if (isPathRequest(attributes)) {
    return lists(
      'nonResourceURLs',
      (url) => url === attributes.path || (url.endsWith('/*') && attributes.path.startsWith(url.slice(0, -1))),
    )
  }
  const { group, resource, subresource, name } = attributes
  const wanted = subresource === '' ? [resource] : [`${resource}/${subresource}`, `*/${subresource}`]
  const isNamed = !isArray(rule.resourceNames) || rule.resourceNames.length === 0 || rule.resourceNames.includes(name)
  return lists('apiGroups', (each) => each === group) && lists('resources', (each) => wanted.includes(each)) && isNamed
}

const some = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values)
const namespaces = some('n1', 'n2')
const users = some('u1', 'u2', 'system:serviceaccount:n1:s')
const groupNames = some('g1', 'g2')
const roleNames = some('r1', 'r2', 'r3')

const rule: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record(
    {
      verbs: fc.array(some('get', 'list', '*'), { minLength: 1, maxLength: 2 }),
      apiGroups: fc.array(some('', 'apps', '*'), { minLength: 1, maxLength: 2 }),
      resources: fc.array(some('pods', 'jobs', 'pods/status', '*/scale', '*'), { minLength: 1, maxLength: 2 }),
      resourceNames: fc.array(some('a', 'b'), { maxLength: 1 }),
    },
    { requiredKeys: ['verbs', 'apiGroups', 'resources'] },
  ),
  fc.record({
    verbs: fc.array(some('get', '*'), { minLength: 1, maxLength: 1 }),
    nonResourceURLs: fc.array(some('/x', '/x/*', '*'), { minLength: 1, maxLength: 2 }),
  }),
)

const subject: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ kind: fc.constant('User'), name: users }),
  fc.record({ kind: fc.constant('Group'), name: groupNames }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: some('s', 't'), namespace: namespaces }, { requiredKeys: ['kind', 'name'] }),
)

const subjects = fc.array(subject, { maxLength: 3 })
const rules = fc.array(rule, { maxLength: 2 })
const metadata = fc.record({ name: roleNames, namespace: namespaces })
const clusterMetadata = fc.record({ name: roleNames })
const roleRef = fc.record({ kind: some('Role', 'ClusterRole'), name: roleNames })
const clusterRoleRef = fc.record({ kind: fc.constant('ClusterRole'), name: roleNames })

const object: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ kind: fc.constant('Role'), metadata, rules }),
  fc.record({ kind: fc.constant('ClusterRole'), metadata: clusterMetadata, rules }),
  fc.record({ kind: fc.constant('RoleBinding'), metadata, subjects, roleRef }),
  fc.record({ kind: fc.constant('ClusterRoleBinding'), metadata: clusterMetadata, subjects, roleRef: clusterRoleRef }),
)

const asker: fc.Arbitrary<User> = fc.record({
  name: users,
  uid: fc.constant(''),
  groups: fc.uniqueArray(groupNames),
  extra: fc.constant({}),
})

const attributes: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    verb: some('get', 'list'),
    group: some('', 'apps'),
    version: fc.constant('v1'),
    resource: some('pods', 'jobs'),
    subresource: some('', 'status', 'scale'),
    name: some('', 'a', 'b'),
    namespace: some('', 'n1', 'n2'),
  }),
  fc.record({ verb: some('get', 'post'), path: some('/x', '/x/y', '/z') }),
)

const keyOf = (each: JsonObject): string => JSON.stringify([each.kind, metadataOf(each).namespace, metadataOf(each).name])

/** Objects come, change and go; `deleted` picks the ones that go again. */
const history = fc.record({ writes: fc.array(object, { maxLength: 12 }), deleted: fc.array(fc.nat(11), { maxLength: 4 }) })

function replay({ writes, deleted }: { writes: JsonObject[]; deleted: number[] }): { authorizer: RbacAuthorizer; left: JsonObject[] } {
  const authorizer = new RbacAuthorizer()
  const left = new Map<string, JsonObject>()
  for (const each of writes) {
    authorizer.set(kindOf(each), each)
    left.set(keyOf(each), each)
  }
  for (const index of deleted) {
    const each = writes[index]
    if (each === undefined) continue
    authorizer.delete(kindOf(each), metadataOf(each).namespace, metadataOf(each).name)
    left.delete(keyOf(each))
  }
  return { authorizer, left: [...left.values()] }
}

test('S2 the indexed decision is the one that looking at everything would give', () => {
  fc.assert(
    fc.property(history, asker, fc.array(attributes, { minLength: 1, maxLength: 6 }), (changes, user, requests) => {
      const { authorizer, left } = replay(changes)
      for (const each of requests) assert.equal(authorizer.authorize(user, each).allowed, naivelyAllowed(left, user, each))
    }),
    { numRuns: 400 },
  )
})

test('S2 a template with objects of its own decides like all objects together', () => {
  fc.assert(
    fc.property(fc.array(object, { maxLength: 6 }), fc.array(object, { maxLength: 6 }), asker, attributes, (shared, own, user, each) => {
      const clusterWide = shared.filter(({ kind }) => kind === 'ClusterRole' || kind === 'ClusterRoleBinding')
      const template = new RbacAuthorizer()
      for (const one of clusterWide) template.set(kindOf(one), one)
      const authorizer = new RbacAuthorizer(template)
      for (const one of own) authorizer.set(kindOf(one), one)
      const all = new Map([...clusterWide, ...own].map((one) => [keyOf(one), one]))
      assert.equal(authorizer.authorize(user, each).allowed, naivelyAllowed([...all.values()], user, each))
    }),
    { numRuns: 300 },
  )
})

test('S2 rulesFor lists exactly what authorize goes by', () => {
  fc.assert(
    fc.property(history, asker, attributes, (changes, user, each) => {
      const { authorizer } = replay(changes)
      const namespace = isPathRequest(each) ? '' : each.namespace
      const { rules } = authorizer.rulesFor(user, namespace)
      const granted = rules.some((one) => grants({ ...one }, each))
      assert.equal(granted, authorizer.authorize(user, each).allowed)
    }),
    { numRuns: 300 },
  )
})
