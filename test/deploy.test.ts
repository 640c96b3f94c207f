import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aHostedControlPlane } from '@windlass/api/fixtures'
import { checkConfig, configMapKey, configMapName, defaultConfig, readConfig } from '@windlass/upgrades'
import { load, loadAll } from 'js-yaml'
import { Agent, request } from 'undici'
import type { Group } from './alerts/rules.ts'
import { accounts, type Base, deployFolder, type Deployment, deploymentOf, type Manifest, manifestsIn } from './deploy/manifests.ts'
import { DeployStage } from './deploy/stage.ts'
import { homeOf, namespace } from './hosted/cluster.ts'
import { catalogue, releases } from './hosted/releases.ts'
import { aClusterForNodes, aPool } from './node-pools/objects.ts'
import { makeCertificate } from './release-registry/certificate.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'

const bases = Object.keys(accounts) as Base[]
const minutes = 60_000

/** What somebody was not allowed to do, each once. */
const refusals = (log: string): readonly string[] => [...new Set(log.match(/cannot \w+ resource \\?"[^"]+" in API group \\?"[^"]*"/g))]

type ConfigKey = Exclude<keyof typeof defaultConfig, 'minute'>

/** `scale.timeOut`: the keys of a document, down to what is no map. */
function pathsIn(document: unknown, prefix = ''): readonly string[] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return [prefix.slice(0, -1)]
  return Object.entries(document).flatMap(([name, value]) => pathsIn(value, `${prefix}${name}.`))
}

describe('what is deployed', { timeout: 6 * minutes }, () => {
  let stage: DeployStage
  before(async () => {
    stage = await DeployStage.set()
  })
  after(() => stage.clear())

  /** One value of an object; empty when either is not there. */
  const value = async (where: string, what: string, path: string): Promise<string> =>
    (await stage.k.run`-n ${where} get ${what} -o ${`jsonpath=${path}`}`).stdout

  it('is taken as a whole by an OpenShift cluster, in one go', async () => {
    await stage.k.ok`apply -k ${join(deployFolder, 'all')}`
    await stage.untilEstablished()
  })

  it('is taken by kubectl and the server, at first as a trial, then for good, and a second time nothing changes', async () => {
    await stage.k.ok`apply -f ${join(deployFolder, 'control-plane-version/namespace.yaml')}`
    for (const base of [...bases, 'alerts']) await stage.k.ok`apply -k ${join(deployFolder, base)} --dry-run=server`
    for (const base of ['control-plane-version', 'alerts']) await stage.k.ok`apply -k ${join(deployFolder, base)}`
    const again = await stage.k.ok`apply -k ${join(deployFolder, 'hosted')}`
    // kubectl replaces the selector of a PodDisruptionBudget each time.
    assert.deepEqual(
      again.split('\n').filter((line) => line !== '' && !line.endsWith(' unchanged') && !line.startsWith('poddisruptionbudget')),
      [],
    )
  })

  it('is all of it in one base, but for what OpenShift brings itself', async () => {
    const objects = async (base: string): Promise<readonly string[]> => {
      const rendered = loadAll(await stage.k.ok`kustomize ${join(deployFolder, base)}`) as Manifest[]
      return rendered.map(({ kind, metadata: { namespace: where = '', name } }) => `${kind} ${where}/${name}`)
    }
    const parts = await Promise.all(['crds/own', 'crds/hosted', 'hosted', 'upgrades', 'insights', 'fleet'].map(objects))
    assert.deepEqual((await objects('all')).toSorted(), parts.flat().toSorted())
  })

  it('has alerts with every operator, and one for when it is down; those about hosted clusters wherever these are told about', async () => {
    const alertsOf = async (base: string): Promise<readonly string[]> => {
      const rendered = loadAll(await stage.k.ok`kustomize ${join(deployFolder, base)}`) as Manifest[]
      const home = accounts[base as Base].split(':')[0]
      const rules = rendered.filter(({ kind }) => kind === 'PrometheusRule')
      for (const { metadata } of rules) assert.equal(metadata.namespace, home, metadata.name)
      return rules
        .flatMap(({ spec }) => (spec as { readonly groups: readonly Group[] }).groups.flatMap(({ rules: of }) => of))
        .map(({ alert }) => alert)
    }
    const told = new Map<Base, readonly string[]>()
    for (const base of bases) told.set(base, await alertsOf(base))
    for (const base of bases.filter((each) => each !== 'fleet')) {
      assert.equal(told.get(base)?.filter((alert) => alert.endsWith('OperatorDown')).length, 1, base)
    }
    const about = (base: Base, what: string): readonly string[] => (told.get(base) ?? []).filter((alert) => alert.startsWith(what))
    for (const what of ['HostedCluster', 'ControlPlane']) assert.deepEqual(about('control-plane-version', what), about('hosted', what))
    assert.ok(about('hosted', 'HostedCluster').length > 0 && about('hosted', 'NodePool').length > 0)
    assert.deepEqual(about('control-plane-version', 'NodePool'), [], 'nobody tells about pools there')
  })

  it('is hardened: not root, nothing writable, no privileges, limits, probes, two replicas that are apart and not both evicted', () => {
    for (const base of bases) {
      const { replicas, template } = deploymentOf(base)
      const { securityContext, topologySpreadConstraints, containers, serviceAccountName } = template.spec
      const [container] = containers
      assert.equal(replicas, 2)
      assert.equal(serviceAccountName, accounts[base].split(':')[1])
      assert.deepEqual(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.equal(topologySpreadConstraints.length, 2)
      for (const part of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) assert.ok(part in container, `${base} ${part}`)
      assert.ok('memory' in container.resources.limits && 'cpu' in container.resources.requests)
      const kinds = manifestsIn(base).map(({ kind }) => kind)
      for (const kind of ['Namespace', 'ServiceAccount', 'ClusterRole', 'Service', 'PodDisruptionBudget'])
        assert.ok(kinds.includes(kind), `${base} ${kind}`)
      if (base !== 'fleet') assert.ok(container.args.includes('--leader-elect') && kinds.includes('ServiceMonitor'), base)
    }
  })

  it('is in the place of the Managed Upgrade Operator: beside the control plane, with its variables and the authorities that the cluster trusts', () => {
    const { affinity, tolerations = [], containers, volumes = [] } = deploymentOf('upgrades').template.spec
    const terms = affinity?.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms ?? []
    const roles = ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane']
    assert.deepEqual(
      terms.map(({ matchExpressions }) => matchExpressions.map(({ key, operator }) => `${key} ${operator}`)),
      roles.map((role) => [`${role} Exists`]),
    )
    const tolerated = tolerations.map(({ key, effect }) => `${key} ${effect}`)
    assert.deepEqual(
      tolerated,
      roles.flatMap((role) => [`${role} NoSchedule`, `${role} NoExecute`]),
    )
    const [{ env = [], volumeMounts = [] }] = containers
    const names = env.map(({ name }) => name)
    assert.deepEqual(names, ['WATCH_NAMESPACE', 'OPERATOR_NAMESPACE', 'OPERATOR_NAME', 'POD_NAME', 'NODE_EXTRA_CA_CERTS'])
    assert.deepEqual(
      volumes.map(({ configMap }) => configMap?.name),
      ['trusted-ca-bundle'],
    )
    const file = env.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value ?? assert.fail()
    assert.ok(volumeMounts.some(({ mountPath }) => file === `${mountPath}/ca-bundle.crt`))
    const bundle = manifestsIn('upgrades').find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'trusted-ca-bundle')
    assert.deepEqual(bundle?.metadata.labels, { 'config.openshift.io/inject-trusted-cabundle': 'true' })
  })

  it('has a sample of the configuration of managed upgrades, and documents with every key and what it is without it', () => {
    const sample = manifestsIn('upgrades').find(({ metadata }) => metadata.name === configMapName) ?? assert.fail()
    const { minute: _, ...known } = defaultConfig
    const config = readConfig(sample)
    for (const user of ['upgrader', 'node keeper', 'manager', 'notifier'] as const) checkConfig(config, user)
    const paths = pathsIn(load(sample.data?.[configMapKey] ?? ''))
    assert.deepEqual(paths.toSorted(), Object.keys(known).toSorted())
    const chosen = Object.keys(known).filter((key) => JSON.stringify(config[key as ConfigKey]) !== JSON.stringify(known[key as ConfigKey]))
    assert.deepEqual(
      chosen.filter((key) => !key.startsWith('configManager.')),
      ['healthCheck.ignoredCriticals'],
    )
    const text = readFileSync(join(deployFolder, '../docs/configuration.md'), 'utf8')
    const told = Array.from(text.matchAll(/^\| `([\w.]+)` \| (?:`(.*?)`|none) \|/gm), ([, key = '', value]) => [key, value])
    assert.deepEqual(
      told,
      Object.entries(known).map(([key, value]) => [key, JSON.stringify(value)]),
    )
  })

  it('lets people in with client certificates where that is asked for, and only there', async () => {
    const folder = join(stage.server.directory, 'with-certificates')
    mkdirSync(folder)
    const base = relative(realpathSync(folder), join(deployFolder, 'fleet'))
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      JSON.stringify({ resources: [base], components: [join(base, 'client-certificates')] }),
    )
    const rendered = loadAll(await stage.k.ok`kustomize ${folder}`) as Manifest[]
    const page = rendered.find(({ kind }) => kind === 'Deployment') ?? assert.fail()
    const { containers, volumes = [] } = (page.spec as Deployment).template.spec
    assert.ok(containers[0].args.includes('--client-ca=/etc/windlass/client-ca/ca.crt'))
    assert.ok(volumes.some(({ configMap }) => configMap?.name === 'windlass-fleet-client-ca'))
    await stage.k.ok`apply -k ${folder} --dry-run=server`
    assert.equal(await may('fleet', 'impersonate users'), 'no')
  })

  it('is an image that runs as nobody special, with what production needs', () => {
    const text = readFileSync(join(deployFolder, '../Containerfile'), 'utf8')
    assert.match(text, /^USER 1000:1000$/m)
    assert.match(text, /npm ci --omit=dev/)
    assert.match(text, /npm run build/)
    assert.match(text, /^ARG NODE=node:24-/m)
    assert.match(text, /^COPY deploy\/crds deploy\/crds$/m, 'windlass apiserver reads a definition from there')
  })

  it('hosted clusters and node pools live and die with the rights of their operator, and it has no more', async () => {
    const { k, server } = stage
    const file = join(server.directory, 'releases.yaml')
    writeFileSync(file, catalogue())
    const port = await freePort()
    const ignition = `--ignition-port=${port}`
    const operator = await stage.run('hosted', ignition, '--release-catalogue', file)
    await stage.runAsAdmin('simulator', '--release-catalogue', file, '--speed', '1000', '--ignition-at', `127.0.0.1:${port}`)
    await k.ok`create namespace ${namespace}`
    await k.with({ input: aClusterForNodes('prod', releases['4.19.6']) }).ok`apply -f -`
    const pool = { cluster: 'prod', replicas: 1, release: releases['4.19.6'], management: { upgradeType: 'Replace', autoRepair: true } }
    await k.with({ input: aPool('workers', pool) }).ok`apply -f -`
    const reached = (what: string, isSo: () => Promise<boolean>) =>
      until(what, isSo, 2 * minutes).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${refusals(operator.log()).slice(0, 20).join('\n')}`, { cause: error })
      })
    const history = () => value(namespace, 'hc/prod', '{.status.controlPlaneVersion.history[*].state}')
    await reached('the cluster to be there', async () => (await history()) === 'Completed')
    await reached(
      'its nodes',
      async () => (await value(namespace, 'nodepool/workers', '{.status.replicas}{.status.version}')) === '14.19.6',
    )
    await k.ok`-n ${namespace} patch nodepool workers --type=merge -p ${{ spec: { replicas: 0 } }}`
    await k.ok`-n ${namespace} delete hc prod --wait=false`
    await reached('the cluster to be gone', async () => (await k.run`-n ${namespace} get hc prod`).status !== 0)
    assert.deepEqual(refusals(operator.log()), [])
    assert.equal(await operator.stop(), 0)
    const mayNot = [
      'delete nodes',
      'create hostedclusters.hypershift.openshift.io',
      'create pods',
      'get pods --subresource=log',
      'impersonate users',
      'patch clusterversions.config.openshift.io',
    ]
    for (const what of mayNot) assert.equal(await may('hosted', what), 'no', what)
    // Real clusters may ask for it before they let somebody block the deletion of an owner; this server does not.
    const finalizers = 'update hostedcontrolplanes.hypershift.openshift.io --subresource=finalizers'
    assert.equal(await may('hosted', finalizers), 'yes', finalizers)
  })

  it('the history of versions is written with the rights that it takes, where another operator runs control planes', async () => {
    const { k, server } = stage
    const home = homeOf('other')
    await k.ok`create namespace ${home}`
    const { metadata: _, status: _status, ...controlPlane } = aHostedControlPlane({ release: '4.19.6' })
    const spec = { ...controlPlane.spec, releaseImage: releases['4.19.6'].pullspec }
    await k.with({ input: JSON.stringify({ ...controlPlane, metadata: { namespace: home, name: 'other' }, spec }) }).ok`create -f -`
    const component = {
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'ControlPlaneComponent',
      metadata: { namespace: home, name: 'etcd' },
      spec: {},
    }
    await k.with({ input: JSON.stringify(component) }).ok`create -f -`
    await k.ok`-n ${home} create secret generic pull-secret --from-literal=.dockerconfigjson=${'{"auths":{}}'}`
    const operator = await stage.run('control-plane-version', '--release-catalogue', join(server.directory, 'releases.yaml'))
    await until('an entry', async () => (await value(home, 'hcp/other', '{.status.controlPlaneVersion.history[0].version}')) === '4.19.6')
    assert.deepEqual(refusals(operator.log()), [])
    assert.equal(await operator.stop(), 0)
    for (const what of [
      'get configmaps',
      'list secrets',
      'patch hostedcontrolplanes.hypershift.openshift.io',
      'delete hostedclusters.hypershift.openshift.io',
    ])
      assert.equal(await may('control-plane-version', what), 'no', what)
  })

  it('insights are kept with the rights that it takes', async () => {
    await stage.runAsAdmin('simulator', '--standalone', '4.19.10', '--speed', '200')
    const operator = await stage.run('insights')
    await until('insights', async () => {
      const { stdout } = await stage.k
        .run`get clusterversionprogressinsights,machineconfigpoolprogressinsights,nodeprogressinsights -o name`
      return stdout.split('\n').length >= 5
    })
    await stage.k.ok`annotate clusterversion version oue.openshift.muller.dev/force-health-insight=`
    const owner = '{.items[*].metadata.ownerReferences[*].blockOwnerDeletion}'
    await until('a health insight', async () => (await value('default', 'updatehealthinsights', owner)) === 'true')
    assert.deepEqual(refusals(operator.log()), [])
    assert.equal(await operator.stop(), 0)
    for (const what of ['patch nodes', 'list secrets', 'delete pods', 'patch clusterversions.config.openshift.io'])
      assert.equal(await may('insights', what), 'no', what)
    // Real clusters may ask for it before they let somebody block the deletion of an owner; this server does not.
    for (const owner of ['clusterversion', 'clusteroperator', 'machineconfigpool', 'node']) {
      const finalizers = `update ${owner}progressinsights.openshift.muller.dev --subresource=finalizers`
      assert.equal(await may('insights', finalizers), 'yes', finalizers)
    }
  })

  it('managed upgrades start with their flags, and are scraped at both of their ports', async () => {
    const ports = { metrics: await freePort(), collector: await freePort() }
    const operator = await stage.run('upgrades', `--metrics-port=${ports.metrics}`, `--collector-port=${ports.collector}`)
    const scraped = async (url: string): Promise<string> => await (await request(url)).body.text()
    await until('the ports to be open', () => scraped(`http://127.0.0.1:${ports.collector}/`).then(Boolean, () => false))
    assert.match(await scraped(`http://127.0.0.1:${ports.collector}/whatever`), /^managed_upgrade_collector_scrape_failed 0$/m)
    const gauges = await scraped(`http://127.0.0.1:${ports.metrics}/metrics`)
    assert.match(gauges, /^# TYPE upgradeoperator_upgrade_result gauge$/m)
    assert.doesNotMatch(gauges, /managed_upgrade_collector_scrape_failed/)
    assert.deepEqual(refusals(operator.log()), [])
    assert.equal(await operator.stop(), 0)
  })

  it('the page may look at everything that it shows, and change nothing', async () => {
    const kinds = ['hostedclusters', 'nodepools', 'controlplanecomponents'].map((kind) => `${kind}.hypershift.openshift.io`)
    for (const kind of [...kinds, 'clusterversions.config.openshift.io', 'upgradeconfigs.upgrade.managed.openshift.io', 'pods', 'events']) {
      assert.equal(await may('fleet', `watch ${kind}`), 'yes', kind)
    }
    const { rules } = manifestsIn('fleet').find(({ kind }) => kind === 'ClusterRole') ?? assert.fail()
    assert.deepEqual([...new Set((rules ?? []).flatMap(({ verbs }) => verbs))].toSorted(), ['get', 'list', 'watch'])
    assert.equal(await may('fleet', 'list secrets'), 'no')
    const { certificate, certificateFile, keyFile } = makeCertificate(stage.server.directory)
    const port = await freePort()
    const page = await stage.run('fleet', `--port=${port}`, `--tls-cert=${certificateFile}`, `--tls-key=${keyFile}`)
    const dispatcher = new Agent({ connect: { ca: certificate } })
    await until('the page to be ready', async () => (await request(`https://127.0.0.1:${port}/readyz`, { dispatcher })).statusCode === 200)
    assert.deepEqual(refusals(page.log()), [])
    await dispatcher.close()
  })

  /** Asked as the account itself. */
  const may = async (base: Base, what: string): Promise<string> =>
    (await stage.kubectlOf(base).run([`auth can-i ${what} -A`])).stdout.trim()
})
