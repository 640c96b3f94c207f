import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Node, PodDisruptionBudget } from '@windlass/api'
import { aNode, aPod, aPodDisruptionBudget } from '@windlass/api/fixtures'
import type { GuestEvidence } from '../evidence.ts'
import { noGuest } from '../evidence.ts'
import { ago, now, since } from '../testing/index.ts'
import { drainTroubles, nodeTroubles } from './index.ts'

const mco = (notes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(notes).map(([name, value]) => [`machineconfiguration.openshift.io/${name}`, value]))

const changing = { currentConfig: 'old', desiredConfig: 'new', desiredDrain: 'uncordon-old', lastAppliedDrain: 'uncordon-old' }

function aNodeWith(notes: Readonly<Record<string, string>>, conditions?: NonNullable<Node['status']>['conditions']): Node {
  const node = aNode()
  const annotated = { ...node, metadata: { ...node.metadata, annotations: mco(notes) } }
  return conditions === undefined ? annotated : { ...annotated, status: { ...node.status, conditions } }
}

function inShort(node: Node, guest: GuestEvidence = noGuest): readonly string[] {
  return nodeTroubles(node, guest, now).map(
    ({ weight, links }) => `${weight}: ${links.map(({ object, reason = '' }) => `${object.kind} ${object.name} [${reason}]`).join(' > ')}`,
  )
}

const labels = { app: 'checkout' }
const shop = { namespace: 'shop', labels }
const stays = aPod({ node: 'worker-0', metadata: { ...shop, name: 'checkout-0' } })

function aBudget(counts: Partial<NonNullable<PodDisruptionBudget['status']>> = {}, name = 'checkout'): PodDisruptionBudget {
  return aPodDisruptionBudget({
    metadata: { name, namespace: 'shop', generation: 1 },
    spec: { selector: { matchLabels: labels }, minAvailable: 2 },
    status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2, ...counts },
  })
}

describe('a node', () => {
  it('that is ready and where it should be is no trouble', () => {
    assert.deepEqual(inShort(aNode()), [])
    assert.deepEqual(inShort(aNodeWith({ currentConfig: 'new', desiredConfig: 'new', state: 'Done' })), [])
  })

  it('that is not ready is given a few minutes', () => {
    assert.deepEqual(inShort(aNodeWith({}, [since(2, 'Ready', 'False', 'KubeletNotReady')])), ['Waiting: Node worker-0 [KubeletNotReady]'])
    assert.deepEqual(inShort(aNodeWith({}, [since(20, 'Ready', 'Unknown', 'NodeStatusUnknown')])), [
      'Broken: Node worker-0 [NodeStatusUnknown]',
    ])
  })

  it('that restarts is not ready, and that is as it should be for a while', () => {
    const notes = { ...changing, state: 'Rebooting' }
    assert.deepEqual(inShort(aNodeWith(notes, [since(3, 'Ready', 'Unknown', 'NodeStatusUnknown')])), ['Working: Node worker-0 [Rebooting]'])
    assert.deepEqual(inShort(aNodeWith(notes, [since(30, 'Ready', 'Unknown', 'NodeStatusUnknown')])), ['Broken: Node worker-0 [Rebooting]'])
  })

  it('whose daemon has failed says why', () => {
    const [trouble] = nodeTroubles(aNodeWith({ ...changing, state: 'Degraded', reason: 'disk is full' }), noGuest, now)
    assert.equal(trouble?.weight, 'Broken')
    assert.equal(trouble.links[0].says, 'its machine config daemon has failed: disk is full')
  })

  it('under pressure is broken', () => {
    const conditions = [since(90, 'Ready', 'True', 'KubeletReady'), since(3, 'DiskPressure', 'True', 'KubeletHasDiskPressure')]
    assert.deepEqual(inShort(aNodeWith({}, conditions)), ['Broken: Node worker-0 [KubeletHasDiskPressure]'])
  })

  it('that has another config to go to waits for its daemon', () => {
    assert.deepEqual(inShort(aNodeWith({ ...changing, state: 'Done' })), ['Waiting: Node worker-0 [NotBegun]'])
    assert.deepEqual(inShort(aNodeWith({ ...changing, state: 'Working' })), ['Working: Node worker-0 [Updating]'])
  })

  it('whose drain was given up leads to the budget and not to its daemon', () => {
    const node = aNodeWith({ ...changing, state: 'Degraded', reason: 'failed to drain', desiredDrain: 'drain-new' })
    assert.deepEqual(inShort(node, { ...noGuest, pods: [stays], budgets: [aBudget()] }), [
      'Broken: Node worker-0 [Draining] > Pod checkout-0 [DisruptionBudget] > PodDisruptionBudget checkout [NeverAllowsDisruption]',
    ])
  })
})

describe('a drain', () => {
  const drain = (guest: Partial<GuestEvidence>, started?: string) =>
    drainTroubles(aNode(), { ...noGuest, ...guest }, now, started).map(
      ({ weight, links }) =>
        `${weight}: ${links.map(({ object, reason = '' }) => `${object.kind} ${object.name} [${reason}]`).join(' > ')}`,
    )

  it('leads to a budget that can never let a Pod go, and to one that could', () => {
    assert.deepEqual(drain({ pods: [stays], budgets: [aBudget()] }), [
      'Broken: Node worker-0 [Draining] > Pod checkout-0 [DisruptionBudget] > PodDisruptionBudget checkout [NeverAllowsDisruption]',
    ])
    const short = aBudget({ currentHealthy: 1, desiredHealthy: 1, expectedPods: 2 })
    assert.deepEqual(drain({ pods: [stays], budgets: [short] }), [
      'Broken: Node worker-0 [Draining] > Pod checkout-0 [DisruptionBudget] > PodDisruptionBudget checkout [NoDisruptionsAllowed]',
    ])
  })

  it('tells of one budget once, however many Pods it keeps', () => {
    const other = aPod({ node: 'worker-0', metadata: { ...shop, name: 'checkout-1' } })
    assert.equal(drain({ pods: [stays, other], budgets: [aBudget()] }).length, 1)
  })

  it('leads to a Pod with two budgets: it is never evicted', () => {
    assert.deepEqual(drain({ pods: [stays], budgets: [aBudget(), aBudget({ disruptionsAllowed: 1 }, 'second')] }), [
      'Broken: Node worker-0 [Draining] > Pod checkout-0 [MultipleBudgets]',
    ])
  })

  it('leads to a Pod that does not end', () => {
    const stuck = aPod({ node: 'worker-0', metadata: { ...shop, name: 'checkout-0', deletionTimestamp: ago(9) } })
    assert.deepEqual(drain({ pods: [stuck] }), ['Broken: Node worker-0 [Draining] > Pod checkout-0 [Terminating]'])
  })

  it('is not held up by Pods of daemon sets, of other nodes, or by budgets of other namespaces', () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'dns', uid: 'u', controller: true }]
    const daemon = aPod({ node: 'worker-0', metadata: { ...shop, name: 'dns', ownerReferences } })
    const elsewhere = aPod({ node: 'worker-1', metadata: { ...shop, name: 'checkout-1' } })
    const foreign = { ...aBudget(), metadata: { name: 'checkout', namespace: 'other', generation: 1 } }
    assert.deepEqual(drain({ pods: [daemon, elsewhere], budgets: [aBudget()] }, ago(5)), ['Waiting: Node worker-0 [Draining]'])
    assert.deepEqual(drain({ pods: [stays], budgets: [foreign] }, ago(5)), ['Waiting: Node worker-0 [Draining]'])
    assert.deepEqual(drain({}, ago(45)), ['Broken: Node worker-0 [Draining]'])
  })
})
