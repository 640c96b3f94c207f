import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { configMapKey, configMapName, defaultNamespace, upgradeConfigName } from '@windlass/upgrades'
import { type AlertCase, cases } from './alerts/cases.ts'
import { checkMetrics, checkRules, testRules } from './alerts/promtool.ts'
import { shippedRules } from './alerts/rules.ts'
import { AlertStage, before as installed, next, old } from './alerts/stage.ts'
import { homeOf, namespace } from './hosted/cluster.ts'
import { aClusterForNodes, aPool } from './node-pools/objects.ts'
import { until } from './support/until.ts'
import { temporaryFolder } from './support/windlass.ts'

const runbooks = join(import.meta.dirname, '../docs/runbooks')

describe('alerts', { timeout: 180_000 }, () => {
  const folder = temporaryFolder()
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('are rules that Prometheus can read', async () => {
    const { status, stdout, stderr } = await checkRules(join(folder, 'check'))
    assert.equal(status, 0, `${stdout}${stderr}`)
  })

  it('fire and resolve as they should, by promtool', async () => {
    const { status, stdout, stderr } = await testRules(join(folder, 'unit'), cases)
    assert.equal(status, 0, `${stdout}${stderr}`)
    const firesAndResolves = ({ fires, silentAt }: AlertCase): boolean => fires.length > 0 && Math.max(...silentAt) > Math.max(...fires)
    const tested = new Set(cases.filter(firesAndResolves).map(({ alert }) => alert))
    assert.deepEqual(
      shippedRules()
        .map(({ alert }) => alert)
        .filter((alert) => !tested.has(alert)),
      [],
    )
  })

  it('each say how bad it is, what it is about, and where to read what to do', () => {
    for (const { alert, labels, annotations } of shippedRules()) {
      assert.match(labels['severity'] ?? '', /^(?:critical|warning)$/, alert)
      assert.ok((annotations['summary'] ?? '').length > 0 && (annotations['description'] ?? '').length > 0, alert)
      assert.ok(annotations['runbook_url']?.endsWith(`/runbooks/${alert}.md`), alert)
      assert.ok(existsSync(join(runbooks, `${alert}.md`)), `docs/runbooks/${alert}.md`)
    }
  })
})

describe('alerts about a running system, by a real Prometheus', { timeout: 240_000 }, () => {
  let stage: AlertStage
  before(async () => {
    stage = await AlertStage.set()
  })
  after(() => stage.clear())

  const home = homeOf('prod')
  const value = async (where: string, what: string, path: string): Promise<string> =>
    (await stage.k.run`-n ${where} get ${what} -o ${`jsonpath=${path}`}`).stdout
  const fail = (words: string): Promise<string> =>
    stage.k.ok`annotate --overwrite namespace ${home} ${`simulator.windlass.dev/fail${words}`}`
  const newest = '{.status.controlPlaneVersion.history[0].state}'
  const upgradeConfig = (version: string): string =>
    JSON.stringify({
      apiVersion: 'upgrade.managed.openshift.io/v1alpha1',
      kind: 'UpgradeConfig',
      metadata: { namespace: defaultNamespace, name: upgradeConfigName },
      spec: { type: 'OSD', upgradeAt: '2020-01-01T00:00:00Z', PDBForceDrainTimeout: 60, desired: { version, channel: 'stable-4.19' } },
    })

  it('nobody is told of a cluster that is installed and well', async () => {
    const { k } = stage
    await k.ok`create namespace ${defaultNamespace}`
    const config = `upgradeType: OSD\nconfigManager: { source: LOCAL, localConfigName: ${upgradeConfigName}, watchInterval: 60 }\n`
    await k.ok`-n ${defaultNamespace} create configmap ${configMapName} --from-literal=${configMapKey}=${config}`
    await k.ok`create namespace ${namespace}`
    await k.with({ input: aClusterForNodes('prod', installed) }).ok`apply -f -`
    const pool = { cluster: 'prod', replicas: 1, release: installed, management: { upgradeType: 'Replace', autoRepair: true } }
    await k.with({ input: aPool('workers', pool) }).ok`apply -f -`
    const condition = '{.status.conditions[?(@.type=="Available")].status}'
    await until(
      'the cluster to be there',
      async () => (await value(namespace, 'hc/prod', `${newest}${condition}`)) === 'CompletedTrue',
      90_000,
    )
    await until('its node', async () => (await value(namespace, 'nodepool/workers', '{.status.replicas}')) === '1', 60_000)
    // Nobody runs these here, which is said.
    const others = 'WindlassInsightsOperatorDown,WindlassVersionsOperatorDown'
    await until('no other alert', async () => (await stage.firing()).join() === others, 60_000)
  })

  it('nobody is told yet of an UpgradeConfig that cannot be: whoever wrote it may be about to change it', async () => {
    await stage.k.with({ input: upgradeConfig('4.18.1') }).ok`create -f -`
    await stage.untilPending(`UpgradeConfigValidationFailedSRE ${upgradeConfigName}`)
  })

  it('a cluster that is not available is told, until it is', async () => {
    await fail('=crash-loop name=kube-apiserver-*')
    await stage.untilFires('HostedClusterNotAvailable prod')
    await fail('-')
    await stage.untilResolved('HostedClusterNotAvailable prod')
  })

  it('a rollout that has stalled, machines that do not come and nodes that are too old are told, each until it is mended', async () => {
    const { k } = stage
    const change = (what: string, spec: object) => k.ok`-n ${namespace} patch ${what} --type=merge -p ${{ spec }}`
    const told = ['ControlPlaneRolloutStalled prod', 'NodePoolShortOfMachines workers', 'NodePoolSkewUnsupported old']
    await fail('=image-pull name=kube-scheduler-*')
    await change('hc/prod', { release: { image: next.pullspec } })
    await k.ok`-n ${namespace} annotate nodepool workers ${'simulator.windlass.dev/fail=infra-error'}`
    await change('nodepool/workers', { replicas: 2 })
    const tooOld = { cluster: 'prod', replicas: 0, release: old, management: { upgradeType: 'Replace', autoRepair: false } }
    await k.with({ input: aPool('old', tooOld) }).ok`apply -f -`
    await stage.untilFires(...told)
    await fail('-')
    await k.ok`-n ${namespace} annotate nodepool workers ${'simulator.windlass.dev/fail-'}`
    await change('nodepool/old', { release: { image: installed.pullspec } })
    await until('the rollout to end', async () => (await value(namespace, 'hc/prod', newest)) === 'Completed', 60_000)
    await stage.untilResolved(...told)
  })

  it('an UpgradeConfig that cannot be is told when nobody has changed it, and a health check that an upgrade waits for', async () => {
    const { k } = stage
    await stage.untilFires(`UpgradeConfigValidationFailedSRE ${upgradeConfigName}`)
    await k.ok`-n ${defaultNamespace} delete upgradeconfig ${upgradeConfigName}`
    await k.with({ input: upgradeConfig('4.19.15') }).ok`create -f -`
    // There is no Prometheus that the operator could ask for alerts.
    await stage.untilFires(`UpgradeClusterCheckFailedSRE ${upgradeConfigName}`)
    await stage.untilResolved(`UpgradeConfigValidationFailedSRE ${upgradeConfigName}`)
    await k.ok`-n ${defaultNamespace} delete upgradeconfig ${upgradeConfigName}`
    await stage.untilResolved(`UpgradeClusterCheckFailedSRE ${upgradeConfigName}`)
  })

  it('metrics are such that promtool has nothing against them, but for names that upstream gave them', async () => {
    for (const endpoint of ['hosted', 'upgrades', 'collector'] as const) {
      const problems = await checkMetrics(await stage.scrape(endpoint))
      assert.deepEqual(
        problems.filter((line) => !namedUpstream.some((name) => line.startsWith(`${name} `))),
        [],
      )
    }
  })

  it('a pool and a cluster that do not go are told, until they are gone, and that nobody runs upgrades, until somebody does', async () => {
    const { k } = stage
    const told = ['HostedClusterDeletionSlow prod', 'NodePoolDeletionSlow workers', 'ManagedUpgradeOperatorDown']
    const [machine = ''] = (await k.ok`-n ${home} get machines -o name`).split('\n')
    await k.ok`-n ${home} patch ${machine} --type=json -p ${[{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/wait' }]}`
    await k.ok`-n ${namespace} delete hc prod --wait=false`
    await stage.stopUpgrades()
    await stage.untilFires(...told)
    await stage.startUpgrades()
    await k.ok`-n ${home} patch ${machine} --type=merge -p ${{ metadata: { finalizers: [] } }}`
    await stage.untilResolved(...told)
    await until('its metrics to go', async () => !/\{namespace="clusters",name="prod"/.test(await stage.scrape('hosted')))
  })
})

/** Dashboards and rules of others know them by these names, whatever promtool thinks of them. The last ones are those of Node, as its library calls them. */
const namedUpstream = [
  'ign_server_get_request',
  'ign_server_payload_cache_total',
  'managed_upgrade_upgrade_pdb_timeout_minutes',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]
