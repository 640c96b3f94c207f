import assert from 'node:assert/strict'
import { it } from 'node:test'
import { table } from '../support/kubectl.ts'
import { firstVersion } from './stage.ts'
import type { WatchedCluster } from './watched-cluster.ts'

export const firstTarget = '4.19.12'
const nextMinor = '4.20.1'

const nodeNames = ['master', 'worker'].flatMap((pool) => [0, 1, 2].map((index) => `${pool}-${index}`))

const forcing = 'oue.openshift.muller.dev/force-health-insight'
const forced = 'cv-2je242kecfijbtqaqac5jjmtti'
const forcedSummary = 'Forced health insight for ClusterVersion version'

/** A cluster that rests, is asked to update, and refuses for one reason after the other. */
export function theRequest(cluster: () => WatchedCluster): void {
  it('T07 say that everything is where it should be', async () => {
    const { k } = cluster()
    await cluster().until(
      'to be complete',
      () => cluster().progress === 'Completed 100' && cluster().pool('worker')?.completionPercent === 100,
    )
    const [row] = table(await k.ok`get clusterversionprogressinsights`)
    assert.deepEqual(
      [row?.['NAME'], row?.['ASSESSMENT'], row?.['COMPLETION'], row?.['TARGET']],
      ['version', 'Completed', '100', firstVersion],
    )
    await cluster().until('to know all operators', () => {
      const known = cluster().operators.filter(({ status }) => status?.conditions !== undefined)
      return known.length === 33
    })
    await cluster().until('to know all nodes', () => nodeNames.every((name) => cluster().nodeReason(name) === 'Completed'))
    const operators = table(await k.ok`get clusteroperatorprogressinsights`)
    assert.deepEqual([...new Set(operators.map((each) => `${each['UPDATING']} ${each['HEALTHY']}`))], ['Updated AsExpected'])
    const nodes = table(await k.ok`get nodeprogressinsights`)
    assert.deepEqual(
      nodes.map((node) => `${node['NAME']} ${node['POOL']} ${node['PHASE']} ${node['VERSION']}`),
      nodeNames.map((name) => `${name} ${name.split('-')[0]} Completed ${firstVersion}`),
    )
  })

  it('T108 let the view say that nothing is going on', async () => {
    assert.deepEqual(await cluster().status(), { status: 0, text: 'The cluster is not updating.\n' })
  })

  it('T66 T67 T68 T70 come when they are forced, come back when they are deleted, and go when nobody forces them', async () => {
    const { k } = cluster()
    await k.ok`annotate clusterversion version ${`${forcing}=`}`
    await cluster().untilTroubled(forcedSummary)
    const { metadata, status } = await k.object`get updatehealthinsight ${forced} -o json`
    assert.deepEqual(metadata.labels, {
      'insight-manager': 'clusterversion',
      'oue.openshift.muller.dev/update-health-insight-manager': 'clusterversion',
    })
    const [owner] = (metadata.ownerReferences ?? []) as readonly { readonly kind: string }[]
    assert.equal(owner?.kind, 'ClusterVersionProgressInsight')
    assert.deepEqual(status['scope'], {
      type: 'ControlPlane',
      resources: [{ group: 'config.openshift.io', resource: 'clusterversions', name: 'version' }],
    })
    const [row] = table(await k.ok`get updatehealthinsights`)
    assert.deepEqual([row?.['NAME'], row?.['LEVEL'], row?.['IMPACT']], [forced, 'Info', 'None'])
    await k.ok`delete updatehealthinsight ${forced}`
    await cluster().until('to be told again', () =>
      cluster().health.some((each) => each.metadata.uid !== metadata.uid && each.status !== undefined),
    )
    await k.ok`annotate clusterversion version ${`${forcing}-`}`
    await cluster().until('not to be told any more', () => cluster().health.length === 0)
  })

  it('T119 do not know what goes on while the same version is applied again, and know it afterwards', async () => {
    const override = { kind: 'Deployment', group: 'apps', namespace: 'openshift-etcd-operator', name: 'etcd-operator', unmanaged: true }
    const isUnknown = (): boolean =>
      cluster().insight?.assessment === 'Unknown' &&
      (cluster().condition('Updating')?.message ?? '').endsWith('last history item is not Partial')
    for (const overrides of [[override], null]) {
      // It is so for a moment only, which may be over by the time kubectl has ended.
      await Promise.all([cluster().until('to be unknown', isUnknown), cluster().patch({ spec: { overrides } })])
      await cluster().until('to be complete', () => cluster().progress === 'Completed 100')
    }
  })

  it('are no wiser than the version operator: without its conditions or its history nothing is known', async () => {
    for (const [mode, explanation] of [
      ['no-conditions', /^No Progressing condition in ClusterVersion$/],
      ['no-history', /Empty history in ClusterVersion$/],
    ] as const) {
      await cluster().fail('clusterversion/version', mode)
      await cluster().until('to be unknown', () => explanation.test(cluster().condition('Updating')?.message ?? ''))
      await cluster().fail('clusterversion/version')
      await cluster().until('to be complete', () => cluster().progress === 'Completed 100')
    }
  })

  it('are about operators of the release, and about no others', async () => {
    const { k } = cluster()
    const own = { apiVersion: 'config.openshift.io/v1', kind: 'ClusterOperator', metadata: { name: 'our-own' }, spec: {} }
    await k.with({ input: JSON.stringify(own) }).ok`create -f -`
    // What comes after it has been seen after it.
    await k.ok`annotate clusteroperator dns example.com/seen=yes`
    await k.ok`annotate clusterversion version ${`${forcing}=`}`
    await cluster().until('to be told', () => cluster().health.length === 1)
    assert.equal(cluster().operatorReason('our-own'), undefined)
    await k.ok`annotate clusterversion version ${`${forcing}-`}`
    await k.ok`delete clusteroperator our-own`
  })

  it('T26 count an operator that does not tell its version as one that waits, and the cluster as complete all the same', async () => {
    await cluster().fail('clusteroperator/insights', 'silent')
    await cluster().until('insights to wait', () => cluster().operatorReason('insights') === 'Pending')
    assert.equal(cluster().progress, 'Completed 100')
    await cluster().fail('clusteroperator/insights')
    await cluster().until('insights to be updated', () => cluster().operatorReason('insights') === 'Updated')
  })

  it('have nothing to say about an update service that does not answer: no update is held up by it', async () => {
    const { k } = cluster()
    await cluster().fail('clusterversion/version', 'no-updates')
    await cluster().until('updates not to be known', () => cluster().reported('RetrievedUpdates')?.reason === 'RemoteFailed')
    await k.ok`annotate clusterversion version ${`${forcing}=`}`
    await cluster().untilTroubled(forcedSummary)
    assert.deepEqual([...cluster().troubles], [`Info ${forcedSummary}`])
    assert.equal(cluster().progress, 'Completed 100')
    await k.ok`annotate clusterversion version ${`${forcing}-`}`
    await cluster().untilRelieved(forcedSummary)
    await cluster().fail('clusterversion/version')
    await cluster().until('updates to be known', () => cluster().reported('RetrievedUpdates')?.status === 'True')
  })

  it('say that the next minor is refused because an operator objects to it, and stop saying so when nobody asks for it any more', async () => {
    const summary = 'Requested release is not accepted (PreconditionChecks)'
    await cluster().fail('clusteroperator/dns', 'not-upgradeable reason=OldApis')
    await cluster().until('dns to object', () => cluster().reported('Upgradeable')?.reason === 'OldApis')
    assert.equal(cluster().health.length, 0)
    await cluster().patch({ spec: { desiredUpdate: { version: nextMinor, image: `example.com/ocp/release:${nextMinor}-x86_64` } } })
    await cluster().untilTroubled(summary)
    assert.deepEqual([...cluster().troubles], [`Error ${summary}`])
    assert.match(cluster().health[0]?.status?.impact.description ?? '', /"ClusterVersionUpgradeable" failed because of "OldApis": .* dns /)
    assert.equal(cluster().progress, 'Completed 100')
    await cluster().patch({ spec: { desiredUpdate: null } })
    await cluster().untilRelieved(summary)
    await cluster().fail('clusteroperator/dns')
    await cluster().until('dns not to object', () => cluster().reported('Upgradeable') === undefined)
  })

  it('say why a release that is asked for is not accepted, and stop saying so', async () => {
    const before = cluster().history
    await cluster().fail('clusterversion/version', 'payload-unavailable')
    await cluster().update(firstTarget)
    for (const [mode, reason] of [
      ['payload-unavailable', 'RetrievePayload'],
      ['payload-broken', 'LoadPayload'],
      ['payload-unverified', 'VerifyPayloadVersion'],
      ['precondition', 'PreconditionChecks'],
    ] as const) {
      await cluster().fail('clusterversion/version', mode)
      const summary = `Requested release is not accepted (${reason})`
      await cluster().until(`to be told of ${summary} alone`, () => [...cluster().troubles].join() === `Error ${summary}`)
      assert.equal(cluster().progress, 'Completed 100')
    }
    assert.deepEqual(cluster().history, before)
    await cluster().assertSays(
      /^The cluster is not updating\.$/,
      /^Error since (now|\d+s): Requested release is not accepted \(PreconditionChecks\)$/,
    )
  })
}
