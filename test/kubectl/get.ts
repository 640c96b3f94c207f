import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { table } from '../support/kubectl.ts'
import { paths, type Check, type Scene } from './check.ts'
import { condition, configMap, hostedCluster, nodePool, nodePoolStatus } from './manifests.ts'

/** Three pools, in another order by size than by name. */
async function threePools(scene: Scene): Promise<void> {
  await nodePool(scene, { name: 'a', spec: { replicas: 2 }, metadata: { labels: { zone: 'a' } } })
  await nodePool(scene, { name: 'b', spec: { replicas: 3 }, metadata: { labels: { zone: 'b', old: 'yes' } } })
  await nodePool(scene, { name: 'c', spec: { replicas: 1 }, metadata: { labels: { zone: 'c' } } })
}

const names = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^.*\//, ''))

/** Reading: every way to print, to select and to go on looking. */
export const get: readonly Check[] = [
  {
    title: 'get prints the columns that the definition asks for',
    async run(scene) {
      await nodePool(scene)
      await nodePoolStatus(scene, {
        replicas: 2,
        version: '4.19.6',
        conditions: [condition('Ready', 'False', 'one node is missing'), condition('UpdatingVersion', 'False')],
      })
      assert.deepEqual(table(await scene.k.ok`get nodepools`), [
        {
          NAME: 'workers',
          CLUSTER: 'prod',
          'DESIRED NODES': '3',
          'CURRENT NODES': '2',
          AUTOSCALING: '',
          AUTOREPAIR: '',
          VERSION: '4.19.6',
          UPDATINGVERSION: 'False',
          UPDATINGCONFIG: '',
          MESSAGE: 'one node is missing',
        },
      ])
    },
  },
  {
    title: 'get -o wide adds the columns of lower priority',
    async run(scene) {
      const prod = await hostedCluster(scene)
      const release = (version: string): object => ({ version, image: `example.com/ocp/release:${version}-x86_64` })
      const history = [
        { ...release('4.19.6'), state: 'Partial', startedTime: '2026-01-02T00:00:00Z', completionTime: null, verified: true },
        {
          ...release('4.19.5'),
          state: 'Completed',
          startedTime: '2026-01-01T00:00:00Z',
          completionTime: '2026-01-01T01:00:00Z',
          verified: true,
        },
      ]
      const version = { desired: release('4.19.6'), history, observedGeneration: 1, availableUpdates: null }
      const status = { version, conditions: [condition('Available', 'True', 'All is well')] }
      // A merge patch would drop the nulls.
      await scene.api.send('PUT', `${paths.hostedClusters(scene)}/prod/status`, { ...prod, status })
      const narrow = {
        NAME: 'prod',
        VERSION: '4.19.5',
        'CP VERSION': '',
        KUBECONFIG: '',
        PROGRESS: 'Partial',
        AVAILABLE: 'True',
        PROGRESSING: '',
        MESSAGE: 'All is well',
      }
      assert.deepEqual(table(await scene.k.ok`get hc prod`), [narrow])
      assert.deepEqual(table(await scene.k.ok`get hc prod -o wide`), [{ ...narrow, 'CP PROGRESS': '', 'DP PROGRESS': 'Partial' }])
    },
  },
  {
    title: 'get finds a kind by plural, singular, short name, and with group and version',
    async run(scene) {
      await nodePool(scene)
      for (const kind of [
        'nodepools',
        'nodepool',
        'np',
        'nodepools.hypershift.openshift.io',
        'nodepools.v1beta1.hypershift.openshift.io',
        'NodePool',
      ])
        assert.equal(await scene.k.ok`get ${kind} -o name`, 'nodepool.hypershift.openshift.io/workers\n', kind)
    },
  },
  {
    title: 'get -o json and -o yaml print the whole object',
    async run(scene) {
      await nodePool(scene)
      const printed = await scene.k.object`get np workers -o json`
      assert.equal(printed.kind, 'NodePool')
      assert.equal(printed.spec['replicas'], 3)
      assert.equal(printed.spec['arch'], 'amd64')
      const yaml = await scene.k.ok`get np workers -o yaml`
      assert.match(yaml, /^apiVersion: hypershift\.openshift\.io\/v1beta1\nkind: NodePool\nmetadata:\n/)
      assert.match(yaml, /^ {2}replicas: 3$/m)
    },
  },
  {
    title: 'get -o jsonpath, go-template and custom-columns pick fields',
    async run(scene) {
      await threePools(scene)
      assert.equal(await scene.k.ok`get np -o ${'jsonpath={range .items[*]}{.metadata.name}={.spec.replicas} {end}'}`, 'a=2 b=3 c=1 ')
      assert.equal(await scene.k.ok`get np -o ${'jsonpath={.items[?(@.spec.replicas>1)].metadata.name}'}`, 'a b')
      assert.equal(await scene.k.ok`get np b -o ${'go-template={{.metadata.labels.zone}}'}`, 'b')
      assert.deepEqual(
        table(
          await scene.k.ok`get np -o custom-columns=POOL:.metadata.name,NODES:.spec.replicas,WHERE:.metadata.labels.zone,NOTE:.status.note`,
        ),
        [
          { POOL: 'a', NODES: '2', WHERE: 'a', NOTE: '<none>' },
          { POOL: 'b', NODES: '3', WHERE: 'b', NOTE: '<none>' },
          { POOL: 'c', NODES: '1', WHERE: 'c', NOTE: '<none>' },
        ],
      )
    },
  },
  {
    title: 'get -A shows all namespaces, --show-labels and -L the labels',
    async run(scene) {
      await nodePool(scene, { metadata: { labels: { zone: 'a', scene: scene.namespace } } })
      const [row] = table(await scene.k.ok`get np -A -l scene=${scene.namespace} --show-labels`)
      assert.equal(row?.['NAMESPACE'], scene.namespace)
      assert.equal(row?.['NAME'], 'workers')
      assert.equal(row?.['LABELS'], `scene=${scene.namespace},zone=a`)
      const all = table(await scene.k.ok`get np --all-namespaces -L zone`)
      assert.deepEqual(
        all.filter((line) => line['NAMESPACE'] === scene.namespace).map((line) => [line['NAME'], line['ZONE']]),
        [['workers', 'a']],
      )
    },
  },
  {
    title: 'get --sort-by orders by any field',
    async run(scene) {
      await threePools(scene)
      assert.deepEqual(
        table(await scene.k.ok`get np --sort-by=.spec.replicas`).map((row) => row['NAME']),
        ['c', 'a', 'b'],
      )
      assert.deepEqual(names(await scene.k.ok`get np --sort-by=${'{.metadata.labels.zone}'} -o name`), ['a', 'b', 'c'])
    },
  },
  {
    title: 'get -l selects by labels',
    async run(scene) {
      await threePools(scene)
      assert.deepEqual(names(await scene.k.ok`get np -l zone=b -o name`), ['b'])
      assert.deepEqual(names(await scene.k.ok`get np -l zone!=b -o name`), ['a', 'c'])
      assert.deepEqual(names(await scene.k.ok`get np -l ${'zone in (a,b),!old'} -o name`), ['a'])
      assert.deepEqual(names(await scene.k.ok`get np -l old -o name`), ['b'])
      assert.match(await scene.k.fails`get np -l ${'zone in a'}`, /unable to parse requirement/)
    },
  },
  {
    title: 'get --field-selector selects by the fields that a kind offers and refuses others',
    async run(scene) {
      await threePools(scene)
      assert.deepEqual(names(await scene.k.ok`get np --field-selector metadata.name=b -o name`), ['b'])
      assert.deepEqual(names(await scene.k.ok`get np --field-selector metadata.name!=b,metadata.namespace=${scene.namespace} -o name`), [
        'a',
        'c',
      ])
      assert.match(
        await scene.k.fails`get np --field-selector spec.x=1`,
        /^Error from server \(BadRequest\): .*field label not supported: spec\.x\n$/,
      )
      await scene.k.ok`create secret generic opaque --from-literal=a=b`
      await scene.k.ok`create secret generic basic --type=kubernetes.io/basic-auth --from-literal=password=b`
      assert.deepEqual(names(await scene.k.ok`get secrets --field-selector type=kubernetes.io/basic-auth -o name`), ['basic'])
    },
  },
  {
    title: 'get --chunk-size reads page by page',
    async run(scene) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await configMap(scene, name, {}, { labels: { paged: 'yes' } })
      const { stdout, stderr } = await scene.k.run`get configmaps -l paged=yes --chunk-size=2 -o name -v=6`
      assert.deepEqual(names(stdout), ['a', 'b', 'c', 'd', 'e'])
      const requests = stderr.split('\n').filter((line) => /configmaps\?[^ ]*limit=2/.test(line))
      assert.deepEqual(
        requests.map((line) => line.includes('continue=')),
        [false, true, true],
      )
    },
  },
  {
    title: 'get -w prints a row for every change',
    async run(scene) {
      await nodePool(scene)
      const watch = scene.k.start`get np -w --output-watch-events`
      await watch.prints(/^ADDED +workers.*\n/m)
      await scene.api.merge(`${paths.nodePools(scene)}/workers`, { spec: { replicas: 4 } })
      await watch.prints(/^MODIFIED.*\n/m)
      await nodePool(scene, { name: 'more' })
      await watch.prints(/^ADDED +more.*\n/m)
      await scene.api.remove(`${paths.nodePools(scene)}/workers`)
      await watch.prints(/^DELETED.*\n/m)
      const { stdout } = await watch.stop()
      assert.deepEqual(
        table(stdout).map((row) => [row['EVENT'], row['NAME'], row['CLUSTER'], row['DESIRED NODES']]),
        [
          ['ADDED', 'workers', 'prod', '3'],
          ['MODIFIED', 'workers', 'prod', '4'],
          ['ADDED', 'more', 'prod', '3'],
          ['DELETED', 'workers', 'prod', '4'],
        ],
      )
    },
  },
  {
    title: 'get -w of one name, as JSON, follows that object only',
    async run(scene) {
      await threePools(scene)
      const watch = scene.k.start`get np b -w -o ${'jsonpath={.metadata.name}:{.spec.replicas} '}`
      await watch.prints(/b:3 /)
      // For one object kubectl drops the first event of the watch that follows: what changes in between, it never prints.
      const printed = watch.prints(/b:[4-9] /).then(() => true)
      for (const replicas of [4, 5, 6, 7, 8, 9]) {
        await scene.api.merge(`${paths.nodePools(scene)}/a`, { spec: { replicas } })
        await scene.api.merge(`${paths.nodePools(scene)}/b`, { spec: { replicas } })
        if ((await Promise.race([printed, setTimeout(2_000)])) === true) break
      }
      await printed
      assert.match((await watch.stop()).stdout, /^b:3 (?:b:[4-9] )+$/)
    },
  },
  {
    title: 'get of several kinds and several names prints each',
    async run(scene) {
      await threePools(scene)
      await hostedCluster(scene)
      assert.deepEqual((await scene.k.ok`get np/a hc/prod np/c -o name`).trimEnd().split('\n'), [
        'nodepool.hypershift.openshift.io/a',
        'hostedcluster.hypershift.openshift.io/prod',
        'nodepool.hypershift.openshift.io/c',
      ])
      assert.deepEqual(names(await scene.k.ok`get np a c -o name`), ['a', 'c'])
      assert.match(await scene.k.ok`get np,hc`, /nodepool\.hypershift\.openshift\.io\/a [^]*hostedcluster\.hypershift\.openshift\.io\/prod/)
    },
  },
  {
    title: 'get of what is not there says so',
    async run(scene) {
      assert.equal(await scene.k.fails`get np nope`, 'Error from server (NotFound): nodepools.hypershift.openshift.io "nope" not found\n')
      assert.equal(await scene.k.ok`get np nope --ignore-not-found`, '')
      assert.equal((await scene.k.run`get np`).stderr, `No resources found in ${scene.namespace} namespace.\n`)
      assert.match(await scene.k.fails`get nothing`, /the server doesn't have a resource type "nothing"/)
    },
  },
  {
    title: 'get --subresource reads status and scale',
    since: 24,
    async run(scene) {
      await nodePool(scene)
      await nodePoolStatus(scene, { replicas: 2 })
      const scale = await scene.k.object`get np workers --subresource=scale -o json`
      assert.equal(scale.kind, 'Scale')
      assert.equal(scale.spec['replicas'], 3)
      assert.equal(scale.status['replicas'], 2)
      assert.equal((await scene.k.object`get np workers --subresource=status -o json`).kind, 'NodePool')
    },
  },
  {
    title: 'get prints the usual columns of built-in kinds',
    async run(scene) {
      await configMap(scene, 'settings', { a: '1', b: '2' })
      const [settings] = table(await scene.k.ok`get configmap settings`)
      assert.deepEqual(Object.keys(settings ?? {}), ['NAME', 'DATA', 'AGE'])
      assert.equal(settings?.['DATA'], '2')
      const [space] = table(await scene.k.ok`get namespace ${scene.namespace}`)
      assert.deepEqual(Object.keys(space ?? {}), ['NAME', 'STATUS', 'AGE'])
      assert.equal(space?.['STATUS'], 'Active')
      const [definition] = table(await scene.k.ok`get crd nodepools.hypershift.openshift.io`)
      assert.deepEqual(Object.keys(definition ?? {}), ['NAME', 'CREATED AT'])
    },
  },
]
