import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { aggregateRules, aggregatesFrom } from './aggregation.ts'
import { aClusterRole } from './fixtures.ts'
import { identityOf } from './objects.ts'

const widgets: JsonObject = { verbs: ['list'], apiGroups: ['test.windlass.dev'], resources: ['widgets'] }
const gadgets: JsonObject = { verbs: ['get'], apiGroups: ['test.windlass.dev'], resources: ['gadgets'] }

const labelled = (role: JsonObject, labels: JsonObject): JsonObject => ({
  ...role,
  metadata: { ...identityOf(role), labels },
})

const aggregated = (name: string, ...clusterRoleSelectors: JsonObject[]): JsonObject => ({
  ...aClusterRole(name),
  aggregationRule: { clusterRoleSelectors },
})

test('AU-017 aggregated ClusterRoles', () => {
  const role = aggregated('agg', { matchLabels: { 'agg-to': 'x' } })
  const part = labelled(aClusterRole('part', widgets), { 'agg-to': 'x' })
  assert.deepEqual(aggregateRules(role, [role, part]), [widgets])
  assert.ok(aggregatesFrom(role, part))
  assert.ok(!aggregatesFrom(role, aClusterRole('other', widgets)))
})

test('rules come in the order of the names of their roles, each once, never from the role itself', () => {
  const role = labelled(aggregated('agg', { matchLabels: { a: '1' } }, { matchLabels: { b: '1' } }), { a: '1' })
  const parts = [labelled(aClusterRole('z', gadgets, widgets), { b: '1' }), labelled(aClusterRole('c', widgets), { a: '1', b: '1' })]
  assert.deepEqual(aggregateRules(role, [role, ...parts]), [widgets, gadgets])
})

const expression = (key: string, operator: string, ...values: string[]): JsonObject => ({ matchExpressions: [{ key, operator, values }] })

test('selectors know expressions, and an empty one picks every role', () => {
  const part = labelled(aClusterRole('part', widgets), { tier: 'a' })
  const picks = (selector: JsonObject): boolean => aggregatesFrom(aggregated('agg', selector), part)
  assert.ok(picks({}))
  assert.ok(picks(expression('tier', 'In', 'a', 'b')))
  assert.ok(!picks(expression('tier', 'NotIn', 'a')))
  assert.ok(picks(expression('other', 'NotIn', 'a')))
  assert.ok(picks(expression('tier', 'Exists')))
  assert.ok(!picks(expression('tier', 'DoesNotExist')))
  assert.ok(!picks(expression('tier', 'Sounds')))
})

test('a role without an aggregationRule, or one that is up to date, keeps its rules as they are', () => {
  const plain = aClusterRole('plain', widgets)
  assert.equal(aggregateRules(plain, []), plain.rules)
  const role = { ...aggregated('agg', { matchLabels: { a: '1' } }), rules: [{ ...widgets }] }
  assert.equal(aggregateRules(role, [labelled(aClusterRole('part', widgets), { a: '1' })]), role.rules)
})
