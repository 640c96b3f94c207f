import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findCondition } from '@windlass/core'
import { table } from '../support/kubectl.ts'
import type { AskedCluster } from './asked-cluster.ts'
import { aNodePoolOf, aRequest, componentNames, homeOf, namespace, pullSecret, sshKey } from './cluster.ts'
import { assertAllRunning, assertInOrder } from './order.ts'
import { releases, type TestRelease } from './releases.ts'
import type { Scene } from './story.ts'

const first = releases['4.19.6']
const failing = releases['4.19.19']
const second = releases['4.20.1']
const patched = releases['4.20.2']
const rebuilt = releases['rebuilt 4.20.2']

/** Made, failed to upgrade, upgraded to the next stream, patched on the management side alone, and rebuilt there. */
export function theLifeOfProd(at: () => Scene): void {
  it('is asked for: there are a namespace, copies of its Secrets and a control plane', async () => {
    const { stage, prod } = at()
    const { k } = stage
    await k.with({ input: `${aRequest('prod', first)}\n---\n${aNodePoolOf('prod', first)}` }).ok`create -f -`
    await prod.until('to have a control plane', () => prod.controlPlane !== undefined)
    const home = await k.object`get namespace ${homeOf('prod')} -o json`
    assert.equal(home.metadata.labels?.['hypershift.openshift.io/hosted-control-plane'], 'true')
    const copy = async (name: string, key: string): Promise<string> => {
      const { data } = await k.object`-n ${homeOf('prod')} get secret ${name} -o json`
      return Buffer.from(data[key] ?? '', 'base64').toString()
    }
    assert.equal(await copy('pull-secret', '.dockerconfigjson'), pullSecret)
    assert.equal(await copy('ssh-key', 'id_rsa.pub'), sshKey)
    const { metadata, spec } = prod.controlPlane ?? assert.fail()
    assert.equal(metadata.annotations?.['hypershift.openshift.io/cluster'], 'clusters/prod')
    assert.deepEqual(
      [spec.releaseImage, spec.controlPlaneReleaseImage, spec.pullSecret.name, spec.sshKey?.name, spec.infraID],
      [first.pullspec, undefined, 'pull-secret', 'ssh-key', prod.object?.spec.infraID],
    )
  })

  it('is installed: every component comes after those that it depends on; people can wait for it with kubectl', async () => {
    const { stage, prod } = at()
    await prod.waitFor('Available')
    await prod.wait('cpc/kube-apiserver', 'RolloutComplete', homeOf('prod'))
    await prod.wait('hcp/prod', 'EtcdAvailable', homeOf('prod'))
    await prod.untilAt(first)
    assert.deepEqual(prod.history(), ['Completed 4.19.6'])
    await prod.until('to be reconciled', () => prod.condition('ReconciliationSucceeded')?.reason === 'ReconciliatonSucceeded')
    await stage.k
      .ok`-n ${namespace} wait hc/prod --for=${'jsonpath={.status.controlPlaneVersion.history[0].state}=Completed'} --timeout=20s`
    assert.deepEqual(prod.components.map(({ metadata }) => metadata.name ?? '').toSorted(), componentNames)
    await stage.recorder.assert((changes) => assertInOrder(changes, 'prod', first, componentNames))
  })

  it("shows upstream's columns in kubectl get hc,hcp,cpc -A", async () => {
    const { k } = at().stage
    const [clusters = '', controlPlanes = '', components = ''] = (await k.ok`get hc,hcp,cpc -A`).split('\n\n')
    const prod = table(clusters).find(({ NAME }) => NAME?.endsWith('/prod') === true)
    assert.deepEqual(prod, {
      NAMESPACE: 'clusters',
      NAME: 'hostedcluster.hypershift.openshift.io/prod',
      VERSION: '4.19.6',
      'CP VERSION': '4.19.6',
      KUBECONFIG: 'prod-admin-kubeconfig',
      PROGRESS: 'Completed',
      AVAILABLE: 'True',
      PROGRESSING: 'False',
      MESSAGE: 'The hosted control plane is available',
    })
    assert.deepEqual(headings(controlPlanes), ['NAMESPACE', 'NAME', 'AGE'])
    assert.deepEqual(headings(components), ['NAMESPACE', 'NAME', 'VERSION', 'AVAILABLE', 'ROLLOUTCOMPLETE', 'MESSAGE'])
    const [wide] = table(await k.ok`-n ${namespace} get hc prod -o wide`)
    assert.deepEqual([wide?.['CP PROGRESS'], wide?.['DP PROGRESS']], ['Completed', 'Completed'])
    assert.ok(headings(await k.ok`-n ${homeOf('prod')} get cpc -o wide`).includes('ROLLOUTCOMPLETEMESSAGE'))
  })

  it('hands out a kubeconfig with which kubectl reaches the API of the guest', async () => {
    const guest = await at().prod.kubectlOfGuest()
    const version = await guest.object`get clusterversion version -o json`
    assert.equal((version.status['desired'] as { version: string }).version, '4.19.6')
    assert.match(await guest.ok`get clusteroperators`, /^dns +4\.19\.6 +True/m)
    assert.match(await guest.fails`get namespace ${homeOf('prod')}`, /NotFound/)
    assert.match(await guest.ok`cluster-info`, /is running at/)
  })

  it('V41 keeps the history of an upgrade that failed and of the one that came after it', async () => {
    const { stage, prod } = at()
    await prod.fail('image-pull name=kube-apiserver-*')
    await prod.upgrade(failing)
    await prod.until('to be stuck with a kube-apiserver that does not come', () => isStuckAt(prod, failing))
    assert.deepEqual(prod.history(), ['Partial 4.19.19', 'Completed 4.19.6'])
    await prod.upgrade(second)
    await prod.until('to be on its way', () => prod.history()[0] === 'Partial 4.20.1')
    for (const [where, kind] of [
      [namespace, 'hc'],
      [homeOf('prod'), 'hcp'],
    ] as const) {
      const { status } = await stage.k.object`-n ${where} get ${kind} prod -o json`
      assertHistoryOfTheSeed(status['controlPlaneVersion'])
    }
    // Its only etcd member restarts; the old API server answers before and after.
    const isAvailable = () => prod.condition('Available')?.status === 'True'
    await prod.until('to be stuck again, and available', () => isStuckAt(prod, second) && isAvailable())
  })

  it('gets to the next stream when what failed is mended, in the order of dependencies', async () => {
    const { stage, prod } = at()
    await prod.fail()
    await prod.untilAt(second)
    assert.deepEqual(prod.history(), ['Completed 4.20.1', 'Partial 4.19.19', 'Completed 4.19.6'])
    assert.deepEqual(prod.guestHistory(), ['Completed 4.20.1', 'Completed 4.19.6'])
    await stage.recorder.assert((changes) => assertInOrder(changes, 'prod', second, componentNames))
  })

  it('is patched on the management side alone; the data plane is not touched', async () => {
    const { stage, prod } = at()
    const untouched = await dataPlane(at())
    await prod.patch({ spec: { controlPlaneRelease: { image: patched.pullspec } } })
    await prod.until('to be patched', () => prod.history()[0] === 'Completed 4.20.2')
    await stage.recorder.assert((changes) => assertInOrder(changes, 'prod', patched, componentNames))
    assert.equal(prod.controlPlane?.spec.controlPlaneReleaseImage, patched.pullspec)
    assert.equal(prod.controlPlane.spec.releaseImage, second.pullspec)
    assert.deepEqual(await dataPlane(at()), untouched)
    assert.deepEqual(prod.guestHistory(), ['Completed 4.20.1', 'Completed 4.19.6'])
  })

  it('has an entry for a rebuild of the version that it runs, which is complete when the new images run', async () => {
    const { stage, prod } = at()
    const untouched = await dataPlane(at())
    await prod.patch({ spec: { controlPlaneRelease: { image: rebuilt.pullspec } } })
    await prod.until('to be rebuilt', () => imagesOf(prod)[0] === rebuilt.image && prod.history()[0] === 'Completed 4.20.2')
    assert.deepEqual(prod.history(), ['Completed 4.20.2', 'Completed 4.20.2', 'Completed 4.20.1', 'Partial 4.19.19', 'Completed 4.19.6'])
    assert.deepEqual(
      imagesOf(prod),
      [rebuilt, patched, second, failing, first].map(({ image }) => image),
    )
    await stage.recorder.assert((changes) => assertAllRunning(changes, 'prod', rebuilt, componentNames))
    assert.deepEqual(await dataPlane(at()), untouched)
  })
}

/** The example of the document that specifies such histories, apart from times and from what is left out while an update runs. */
function assertHistoryOfTheSeed(given: unknown): void {
  const seed = {
    desired: { version: '4.20.1', image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64' },
    history: [
      { state: 'Partial', version: '4.20.1', image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64' },
      { state: 'Partial', version: '4.19.19', image: 'quay.io/openshift-release-dev/ocp-release:4.19.19-x86_64' },
      { state: 'Completed', version: '4.19.6', image: 'quay.io/openshift-release-dev/ocp-release:4.19.6-x86_64' },
    ],
  }
  const { desired, history, observedGeneration } = given as {
    readonly desired: object
    readonly history: readonly { readonly startedTime: string; readonly completionTime?: string }[]
    readonly observedGeneration: number
  }
  const timeless = history.map(({ startedTime: _, completionTime: _end, ...entry }) => entry)
  assert.deepEqual({ desired, history: timeless }, seed)
  assert.ok(observedGeneration >= 1)
  const [running, failed, completed] = history
  assert.equal(running !== undefined && 'completionTime' in running, false)
  assert.equal(failed?.completionTime, running?.startedTime)
  assert.equal(completed?.completionTime, failed?.startedTime)
}

/** What belongs to the guest: its version, its operators, and what its nodes are to run. */
async function dataPlane(scene: Scene): Promise<unknown> {
  const { k } = scene.stage
  const guest = await scene.prod.kubectlOfGuest()
  const { spec, status } = await guest.object`get clusterversion version -o json`
  const operators = await guest.object`get clusteroperators -o json`
  const pool = await k.object`-n ${namespace} get nodepool prod-workers -o json`
  return {
    spec,
    status,
    operators: operators.items.map((operator) => [operator.metadata.name, operator.metadata.resourceVersion]),
    pool: pool.spec,
  }
}

const imagesOf = (cluster: AskedCluster): readonly string[] =>
  (cluster.object?.status?.controlPlaneVersion?.history ?? []).map(({ image }) => image)

/** Its store has got there, its API server has not, and everything else waits for that. */
function isStuckAt(cluster: AskedCluster, { version }: TestRelease): boolean {
  const component = (name: string) => cluster.components.find(({ metadata }) => metadata.name === name)?.status
  return (
    cluster.history()[0] === `Partial ${version}` &&
    component('etcd')?.version === version &&
    findCondition(component('kube-apiserver')?.conditions, 'RolloutComplete')?.reason === 'WaitingForRolloutComplete' &&
    findCondition(component('kube-scheduler')?.conditions, 'RolloutComplete')?.reason === 'WaitingForDependencies'
  )
}

const headings = (text: string): readonly string[] => (text.split('\n')[0] ?? '').trim().split(/ {2,}/)
