import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { Node, Pod, PodDisruptionBudget, UpgradeConfig } from '@windlass/api'
import { aNode, aPod, aPodDisruptionBudget } from '@windlass/api/fixtures'
import { type OperatorConfig, readConfig, checkConfig } from '../config/index.ts'
import { hasDrainFailed, protectedBy, strategiesFor } from '../drain/index.ts'
import { noSeries, setGauge, withChange } from '../metrics/index.ts'
import { aCordonedNode, configured, gaugesAfter, inShort, minute, now, thePool, theUpgrade } from '../testing/index.ts'
import { Annotation } from '../upgrade-config/names.ts'
import { decideNode, isKept, type NodeView } from './index.ts'

const upgrading = theUpgrade({ entry: {} })
const series = withChange(noSeries, setGauge('upgradeoperator_node_drain_timeout', { node_name: 'worker-0' }, 1))
const drainGauge = 'node_drain_timeout{node_name="worker-0"}'

interface Options {
  readonly node?: Node | undefined
  readonly pods?: readonly Pod[]
  readonly budgets?: readonly PodDisruptionBudget[]
  readonly config?: Partial<OperatorConfig>
  readonly upgradeConfig?: UpgradeConfig | undefined
  readonly updated?: number
}

function view(options: Options): NodeView {
  return {
    name: 'worker-0',
    upgradeConfig: 'upgradeConfig' in options ? options.upgradeConfig : upgrading,
    node: options.node,
    workerPool: thePool(options.updated ?? 1, 3),
    config: () => configured(options.config ?? {}),
    pods: options.pods ?? [],
    budgets: options.budgets ?? [],
  }
}

const decide = (options: Options) => decideNode(view(options), now)
const plain = (name: string, parts: Partial<Pod['metadata']> = {}): Pod =>
  aPod({ name, namespace: 'app', metadata: { labels: { app: name }, ...parts } })
const protecting = aPodDisruptionBudget({
  namespace: 'app',
  name: 'b',
  spec: { selector: { matchLabels: { app: 'p' } }, maxUnavailable: 0 },
})

describe('the node keeper', () => {
  it('D01 Δ42 has no business with nodes of the control plane', () => {
    for (const role of ['master', 'control-plane']) {
      assert.ok(!isKept(aNode({ metadata: { labels: { [`node-role.kubernetes.io/${role}`]: '' } } })))
    }
    assert.ok(isKept(aNode()))
  })

  it('D02 does nothing while no upgrade runs', () => {
    const node = aCordonedNode(600)
    assert.deepEqual(decide({ node, upgradeConfig: theUpgrade({ entry: { phase: 'Pending' } }) }), { effects: [] })
    assert.deepEqual(decide({ node, upgradeConfig: theUpgrade() }), { effects: [] })
    assert.deepEqual(decide({ node, upgradeConfig: undefined }), { effects: [] })
    assert.deepEqual(decide({ node, updated: 3 }), { effects: [] })
  })

  it('D03 deletes pods that hold up a drain, after its time', () => {
    const late = decide({ node: aCordonedNode(46), pods: [plain('a')] })
    assert.deepEqual([inShort(late.effects), late.requeueAfter], [['delete pod a'], 60_000])
    assert.deepEqual(inShort(decide({ node: aCordonedNode(44), pods: [plain('a')] }).effects), [])
    assert.deepEqual(inShort(decide({ node: aCordonedNode(45), pods: [plain('a')] }).effects), [])
  })

  it('D04 gives pods with a budget more time, and tells of them before and after', () => {
    const kept = decide({ node: aCordonedNode(67), pods: [plain('p')], budgets: [protecting] })
    assert.deepEqual(inShort(kept.effects), [])
    const late = decide({ node: aCordonedNode(69), pods: [plain('p')], budgets: [protecting] })
    assert.deepEqual(inShort(late.effects), ['owe StateDelayed', 'delete pod p', 'notify StateDelayed'])
  })

  it('D04 tells once, and tells what it owes though nothing is left to do', () => {
    const noted = (name: string) => theUpgrade({ entry: {}, annotations: { [name]: '4.4.6/StateDelayed' } })
    const told = { node: aCordonedNode(69), pods: [plain('p')], budgets: [protecting] }
    assert.deepEqual(inShort(decide({ ...told, upgradeConfig: noted(Annotation.sentNotifications) }).effects), ['delete pod p'])
    const owing = { node: aCordonedNode(10), upgradeConfig: noted(Annotation.owedNotifications) }
    assert.deepEqual(inShort(decide(owing).effects), ['notify StateDelayed'])
  })

  it('D05 Δ28 never touches pods of a DaemonSet, nor mirrors of static pods', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd' }
    const daemon = plain('d', { ownerReferences: [owner], deletionTimestamp: '2030-01-01T00:00:00Z' })
    const mirror = plain('m', { annotations: { 'kubernetes.io/config.mirror': 'x' } })
    assert.deepEqual(inShort(decide({ node: aCordonedNode(600), pods: [daemon, mirror] }).effects), [])
  })

  it('D06 frees pods of their finalizers, and deletes again what got stuck', () => {
    const held = plain('f', { finalizers: ['example.com/f'], deletionTimestamp: '2030-01-01T00:00:00Z' })
    const stuck = plain('s', { deletionTimestamp: '2030-01-01T00:00:00Z' })
    const { effects } = decide({ node: aCordonedNode(46), pods: [held, stuck] })
    assert.deepEqual(inShort(effects), ['patch Pod', 'delete pod s'])
    const [first] = effects
    assert.ok(first?.do === 'act' && first.action.do === 'patch')
    assert.deepEqual(first.action.patch, { metadata: { finalizers: null } })
  })

  it('D06 Δ28 does the same for pods with a budget, later, whatever becomes of single ones', () => {
    const held = plain('p', { finalizers: ['example.com/f'], deletionTimestamp: '2030-01-01T00:00:00Z' })
    const stuck = plain('p', { deletionTimestamp: '2030-01-01T00:00:00Z' })
    const { effects } = decide({ node: aCordonedNode(69), pods: [held, stuck], budgets: [protecting] })
    assert.deepEqual(inShort(effects), ['patch Pod', 'delete pod p'])
    assert.ok(effects.every(({ onFailure }) => onFailure !== 'stop'))
  })

  it('D07 leaves namespaces alone that are ignored', () => {
    const config = { 'nodeDrain.ignoredNamespacePatterns': ['^app$'] }
    assert.deepEqual(inShort(decide({ node: aCordonedNode(600), pods: [plain('a')], config }).effects), [])
  })

  it('D08 only says that a drain has failed when it is not to help', () => {
    const { effects } = decide({ node: aCordonedNode(46), pods: [plain('a')], config: { 'nodeDrain.disableDrainStrategies': true } })
    assert.deepEqual([inShort(effects), gaugesAfter(effects)], [[], { [drainGauge]: 1 }])
  })

  it('D10 takes it back for a node that goes', () => {
    const node = aCordonedNode(600)
    const going = { ...node, metadata: { ...node.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } }
    assert.deepEqual(gaugesAfter(decide({ node: going }).effects, series), { [drainGauge]: 0 })
    assert.deepEqual(gaugesAfter(decide({ node: going }).effects), {})
  })

  it('D11 cannot help where nobody knows when the drain began', () => {
    assert.match(decide({ node: aCordonedNode(undefined), pods: [plain('a')] }).problem ?? '', /cannot determine drain commencement time/)
  })

  it('Δ24 takes back what it said about a node that is well, or gone, though no upgrade runs', () => {
    for (const upgradeConfig of [upgrading, theUpgrade({ entry: { phase: 'Upgraded' } })]) {
      assert.deepEqual(gaugesAfter(decide({ node: aNode(), upgradeConfig, updated: 3 }).effects, series), { [drainGauge]: 0 })
      assert.deepEqual(gaugesAfter(decide({ node: undefined, upgradeConfig }).effects, series), { [drainGauge]: 0 })
    }
  })

  it('Δ26 leaves nodes alone that a person has cordoned, and stays with those that hang', () => {
    assert.deepEqual(decide({ node: aCordonedNode(600, {}), pods: [plain('a')] }), { effects: [] })
    const hanging = {
      'machineconfiguration.openshift.io/state': 'Degraded',
      'machineconfiguration.openshift.io/currentConfig': 'a',
      'machineconfiguration.openshift.io/desiredConfig': 'b',
    }
    assert.deepEqual(inShort(decide({ node: aCordonedNode(600, hanging), pods: [plain('a')] }).effects), ['delete pod a'])
  })

  it('C08 fails with a configuration that makes no sense, and only when it needs one', () => {
    const bad = readConfig({ data: { 'config.yaml': 'nodeDrain: {ignoredNamespacePatterns: ["("]}' } })
    const config = () => checkConfig(bad, 'node keeper')
    assert.throws(() => decideNode({ ...view({ node: aCordonedNode(50) }), config }, now), { name: 'ConfigError' })
    assert.doesNotThrow(() => decideNode({ ...view({ node: aNode() }), config }, now))
  })
})

describe('a drain', () => {
  const strategies = strategiesFor(upgrading, configured({}), [protecting])
  const failedAfter = (minutes: number, pods: readonly Pod[] = []) =>
    hasDrainFailed({ node: aCordonedNode(minutes), pods }, strategies, configured({}), now)

  it('D09 has failed when the last strategy has had its time', () => {
    assert.ok(failedAfter(77))
    assert.ok(!failedAfter(75))
  })

  it('D09 has failed earlier when no later strategy has anything to do', () => {
    assert.ok(!failedAfter(53))
    assert.ok(failedAfter(54))
    assert.ok(!failedAfter(54, [plain('p')]))
    assert.ok(!failedAfter(10))
  })

  it('D09 without strategies fails after its time, and never without a beginning', () => {
    const bare = (minutes: number | undefined) => hasDrainFailed({ node: aCordonedNode(minutes), pods: [] }, [], configured({}), now)
    assert.deepEqual([bare(45), bare(46), bare(undefined)], [false, true, false])
  })

  it('D09 has never failed before its time, nor while a later strategy has pods to act on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.boolean(), (minutes, hasProtected) => {
        const hasFailed = failedAfter(minutes, hasProtected ? [plain('p')] : [])
        if (hasFailed) assert.ok(minutes > (hasProtected ? 76 : 45))
        if (minutes > 76) assert.ok(hasFailed)
      }),
    )
  })

  it('Δ28 has its strategies in the order of the table', () => {
    assert.deepEqual(
      strategies.map(({ name, wait }) => `${name} ${wait / minute}`),
      [
        'DELETE 45',
        'DEFAULT-FINALIZER 45',
        'POD-STUCK-TERMINATING 45',
        'PDB-DELETE 68',
        'PDB-FINALIZER 68',
        'PDB-POD-STUCK-TERMINATING 68',
      ],
    )
  })
})

describe('pods with a budget', () => {
  it('D12 Δ27 are those in its namespace that it selects', () => {
    const everything = aPodDisruptionBudget({ namespace: 'a', spec: { selector: {} } })
    const isProtected = protectedBy([everything])
    assert.ok(isProtected(aPod({ namespace: 'a' })))
    assert.ok(!isProtected(aPod({ namespace: 'b' })))
  })

  it('Δ27 match all of a selector', () => {
    const labels = { app: 'web', tier: 'front' }
    for (const [selector, isMatch] of [
      [undefined, false],
      [{}, true],
      [{ matchLabels: { app: 'web' } }, true],
      [{ matchLabels: { app: 'web', tier: 'back' } }, false],
      [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] }, true],
      [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
      [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
      [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
      [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
      [{ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
      [{ matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] }, false],
    ] as const) {
      const isProtected = protectedBy([aPodDisruptionBudget({ namespace: 'a', spec: selector === undefined ? {} : { selector } })])
      assert.equal(isProtected(aPod({ namespace: 'a', metadata: { labels } })), isMatch, JSON.stringify(selector))
    }
  })
})
