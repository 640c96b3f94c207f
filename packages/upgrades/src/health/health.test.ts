import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aClusterOperator, aCondition, aNode, aPodDisruptionBudget } from '@windlass/api/fixtures'
import type { Node } from '@windlass/api'
import { readVector } from '../observed/prometheus.ts'
import { seen, unseen } from '../observed/seen.ts'
import { aCordonedNode, configured, gaugesAfter } from '../testing/index.ts'
import {
  alertsQuery,
  checkAlerts,
  checkBudgets,
  checkCapacity,
  checkCordoned,
  checkOperators,
  checkPressure,
  gaugesOf,
  type HealthCheck,
  readBudgetReport,
} from './index.ts'

/** The reason of a failure, or undefined. */
const reasonOf = ({ finding }: HealthCheck) => (finding.isHealthy ? undefined : finding.reason)
const tokenOf = ({ finding }: HealthCheck) => (finding.isHealthy ? undefined : finding.token)
const messageOf = ({ finding }: HealthCheck) => (finding.isHealthy ? undefined : finding.message)

describe('alerts', () => {
  it('H01 are asked for without those that are ignored', () => {
    const config = configured({ 'healthCheck.ignoredCriticals': ['A', 'B'], 'healthCheck.ignoredNamespaces': ['n1'] })
    assert.equal(
      alertsQuery(config),
      'ALERTS{alertstate="firing",severity="critical",namespace=~"^openshift.*|^kube-.*|^default$",namespace!="n1",alertname!="A",alertname!="B"}',
    )
    assert.equal(
      alertsQuery(configured({})),
      'ALERTS{alertstate="firing",severity="critical",namespace=~"^openshift.*|^kube-.*|^default$"}',
    )
  })

  it('H01 are escaped as PromQL wants it', () => {
    assert.match(alertsQuery(configured({ 'healthCheck.ignoredCriticals': ['a"\\'] })), /alertname!="a\\"\\\\"}$/)
  })

  it('H02 are named once, in the order in which they were seen', () => {
    const check = checkAlerts(seen(['B', 'A', 'B']))
    assert.deepEqual([reasonOf(check), messageOf(check)], ['critical_alerts_firing', 'critical alert(s) firing: B, A'])
  })

  it('H03 Δ13 are a failure when nobody could say', () => {
    for (const answer of [
      { status: 503, body: '{"status":"error"}' },
      { status: 200, body: '{"status":"error"}' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{"status":"success"}' },
      { status: 302, body: '{"status":"success","data":{"result":[]}}' },
      { problem: 'connection refused' },
    ]) {
      const found = readVector(answer)
      assert.ok('problem' in found)
      assert.equal(reasonOf(checkAlerts(found)), 'healthcheck_query_failed')
    }
  })

  it('H03 are read from an answer that says success', () => {
    const body = JSON.stringify({
      status: 'success',
      data: { resultType: 'vector', result: [{ metric: { alertname: 'A' }, value: [1, '1'] }] },
    })
    assert.deepEqual(readVector({ status: 200, body }), seen([{ alertname: 'A' }]))
    assert.equal(reasonOf(checkAlerts(seen([]))), undefined)
  })

  it('are a gauge of their own', () => {
    const labels = { upgradeconfig_name: 'a', state: 'Upgrading', version: '4.4.5' }
    const bad = gaugesAfter(gaugesOf(checkAlerts(seen(['B'])), labels))
    assert.deepEqual(bad, {
      'healthcheck_failed{upgradeconfig_name="a",state="Upgrading",version="4.4.5",reason="critical_alerts_firing"}': 1,
    })
    assert.deepEqual(Object.values(gaugesAfter(gaugesOf(checkAlerts(seen([])), labels))), [0, 0])
  })
})

describe('cluster operators', () => {
  const operator = (name: string, ...conditions: ReturnType<typeof aCondition>[]) => aClusterOperator({ name, status: { conditions } })

  it('H04 are bad when they are not available or degraded, and not when they do not know', () => {
    const bad = seen([operator('a', aCondition('Available', 'False')), operator('b', aCondition('Degraded', 'True')), operator('c')])
    assert.deepEqual(
      [reasonOf(checkOperators(bad)), messageOf(checkOperators(bad))],
      ['cluster_operators_degraded', 'degraded operators: a, b'],
    )
    assert.equal(reasonOf(checkOperators(seen([operator('a', aCondition('Degraded', 'Unknown'))]))), undefined)
    assert.equal(reasonOf(checkOperators(unseen('no answer'))), 'cluster_operator_status_failed')
  })
})

describe('nodes', () => {
  const labelled = (node: Node, ...roles: readonly string[]): Node => ({
    ...node,
    metadata: { ...node.metadata, labels: Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ''])) },
  })
  const tainted = (name: string, ...keys: readonly string[]): Node =>
    aNode({ name, spec: { taints: keys.map((key) => ({ key: `node.kubernetes.io/${key}`, effect: 'NoSchedule' as const })) } })

  it('H05 cordoned by hand are bad, those that are being updated are not, and infra nodes do not count', () => {
    assert.equal(
      tokenOf(checkCordoned(seen([aCordonedNode(5, {}, 'n1'), aCordonedNode(5, {}, 'n2')]))),
      'NodeUnschedulableHealthcheckFailed:(n1,n2)',
    )
    assert.equal(reasonOf(checkCordoned(seen([aCordonedNode(5)]))), undefined)
    assert.equal(reasonOf(checkCordoned(seen([labelled(aCordonedNode(5, {}), 'worker', 'infra')]))), undefined)
    assert.equal(reasonOf(checkCordoned(seen([labelled(aCordonedNode(5, {}), 'master')]))), undefined)
  })

  it('H05 with the field alone, or the taint alone, are not cordoned', () => {
    const node = aCordonedNode(5, {})
    const { taints: _, ...fieldOnly } = node.spec
    const { unschedulable: __, ...taintOnly } = node.spec
    assert.equal(
      reasonOf(
        checkCordoned(
          seen([
            { ...node, spec: fieldOnly },
            { ...node, spec: taintOnly },
          ]),
        ),
      ),
      undefined,
    )
  })

  it('H06 Δ17 under pressure are listed once, those of the control plane too', () => {
    const nodes = [
      tainted('n2', 'disk-pressure', 'memory-pressure'),
      labelled(tainted('m1', 'disk-pressure'), 'master'),
      tainted('n3', 'pid-pressure'),
    ]
    assert.equal(tokenOf(checkPressure(seen(nodes))), 'NodeUnschedulableTaintHealthcheckFailed:(n2,m1,n3)')
    assert.equal(
      reasonOf(checkPressure(seen([aNode({ spec: { taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoExecute' }] } })]))),
      undefined,
    )
  })

  it('that cannot be listed are a failure with empty parentheses', () => {
    assert.deepEqual(
      [reasonOf(checkCordoned(unseen('no'))), tokenOf(checkCordoned(unseen('no'))), tokenOf(checkPressure(unseen('no')))],
      ['cluster_node_query_failed', 'NodeUnschedulableHealthcheckFailed:()', 'NodeUnschedulableTaintHealthcheckFailed:()'],
    )
  })
})

describe('disruption budgets', () => {
  const absent = { is: 'not installed' } as const
  const budget = (namespace: string, name: string, spec: object) => {
    const built = aPodDisruptionBudget({ namespace, name })
    return { ...built, spec: { ...(built.spec.selector === undefined ? {} : { selector: built.spec.selector }), ...spec } }
  }

  it('H07 Δ16 of the platform do not count, and all others are reported', () => {
    const budgets = [
      budget('app', 'p', { maxUnavailable: 0 }),
      budget('openshift-etcd', 'q', { maxUnavailable: 0 }),
      budget('b', 'r', { maxUnavailable: '0%' }),
      budget('b', 'fine', { minAvailable: 3 }),
    ]
    const check = checkBudgets(seen(budgets), absent)
    assert.equal(reasonOf(check), 'cluster_invalid_pdb_configuration')
    assert.equal(tokenOf(check), 'PDBHealthcheckFailed: [{"Name":"p","Namespace":"app"},{"Name":"r","Namespace":"b"}]')
  })

  it('H08 of namespaces that belong to customers count', () => {
    const check = checkBudgets(seen([budget('openshift-operators', 'p', { minAvailable: '100%' })]), absent)
    assert.equal(reasonOf(check), 'cluster_invalid_pdb_configuration')
  })

  it('H09 Δ15 pass where no Deployment Validation Operator is installed', () => {
    const check = checkBudgets(seen([]), absent)
    assert.equal(reasonOf(check), undefined)
    assert.equal(check.reasons.length, 5)
  })

  const help = '# HELP deployment_validation_operator_pdb_min_available 1\n# TYPE deployment_validation_operator_pdb_min_available gauge\n'

  it('H10 pass where the operator has only comments to make, or says 0', () => {
    const zero = 'deployment_validation_operator_pdb_min_available{kind="PodDisruptionBudget",name="p",namespace="app"} 0\n'
    for (const metrics of [help, help + zero, '', 'deployment_validation_operator_other 1\n']) {
      assert.equal(reasonOf(checkBudgets(seen([]), { is: 'answered', metrics })), undefined)
    }
  })

  it('Δ15 fail where it reports one', () => {
    const line = 'deployment_validation_operator_pdb_max_unavailable{kind="PodDisruptionBudget",name="a\\"}b",namespace="app"} 1'
    const check = checkBudgets(seen([]), { is: 'answered', metrics: `${help}${line}\n` })
    assert.equal(reasonOf(check), 'cluster_invalid_pdb')
    assert.equal(tokenOf(check), 'PDBHealthcheckFailed: [{"Name":"a\\"}b","Namespace":"app"}]')
    const platform = line.replace('"app"', '"openshift-etcd"')
    assert.equal(reasonOf(checkBudgets(seen([]), { is: 'answered', metrics: platform })), undefined)
    const other = 'deployment_validation_operator_pdb_max_unavailable{kind="Deployment",name="a",namespace="app"} 1'
    assert.deepEqual(
      readBudgetReport(other, () => true),
      { isBad: true, budgets: [] },
    )
  })

  it('fail when nobody can say', () => {
    assert.equal(reasonOf(checkBudgets(unseen('no'), absent)), 'pdb_query_failed')
    assert.equal(tokenOf(checkBudgets(unseen('no'), absent)), 'PDBHealthcheckFailed: []')
    assert.equal(reasonOf(checkBudgets(seen([]), { is: 'unreachable', problem: 'no' })), 'dvo_client_creation_failed')
    assert.equal(reasonOf(checkBudgets(seen([]), { is: 'unanswered', problem: 'no' })), 'dvo_metrics_query_failed')
  })
})

describe('capacity', () => {
  it('needs a machine pool to add to, and a list of them', () => {
    assert.equal(tokenOf(checkCapacity(seen([]))), 'CapacityReservationHealthcheckFailed')
    assert.equal(reasonOf(checkCapacity(unseen('no'))), 'default_worker_machinepool_not_found')
  })
})
