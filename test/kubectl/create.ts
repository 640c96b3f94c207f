import assert from 'node:assert/strict'
import type { Check } from './check.ts'
import { files, manifest } from './manifests.ts'

/** Commands of `create`, and what each of them says it made. */
const generators: readonly (readonly [command: string, made: string])[] = [
  ['configmap settings --from-literal=a=1', 'configmap/settings'],
  ['secret generic opaque --from-literal=password=x', 'secret/opaque'],
  ['secret docker-registry pull --docker-server=example.com --docker-username=u --docker-password=p', 'secret/pull'],
  ['serviceaccount robot', 'serviceaccount/robot'],
  ['role reader --verb=get,list --resource=nodepools.hypershift.openshift.io', 'role.rbac.authorization.k8s.io/reader'],
  ['rolebinding readers --role=reader --user=dev', 'rolebinding.rbac.authorization.k8s.io/readers'],
  ['clusterrole kubectl-reader --verb=get --resource=nodes', 'clusterrole.rbac.authorization.k8s.io/kubectl-reader'],
  [
    'clusterrolebinding kubectl-readers --clusterrole=kubectl-reader --group=devs',
    'clusterrolebinding.rbac.authorization.k8s.io/kubectl-readers',
  ],
  ['quota small --hard=pods=3,requests.cpu=1', 'resourcequota/small'],
  ['deployment web --image=example.com/web:1 --replicas=2', 'deployment.apps/web'],
  ['job once --image=example.com/once:1', 'job.batch/once'],
  ['service clusterip web --tcp=80:8080', 'service/web'],
]

/** kubectl 1.20 asks for betas of these that no current server has. */
const laterGenerators: typeof generators = [
  ['cronjob nightly --image=example.com/once:1 --schedule=@daily', 'cronjob.batch/nightly'],
  ['poddisruptionbudget web --selector=app=web --min-available=1', 'poddisruptionbudget.policy/web'],
]

const typo = manifest(files.nodePool, { spec: { replica: 3 } })

/** Making objects, and what is refused. */
export const create: readonly Check[] = [
  {
    title: 'create makes an object once',
    async run({ k }) {
      assert.equal(await k.ok`create -f ${files.nodePool}`, 'nodepool.hypershift.openshift.io/workers created\n')
      assert.equal(
        await k.fails`create -f ${files.nodePool}`,
        `Error from server (AlreadyExists): error when creating "${files.nodePool}": nodepools.hypershift.openshift.io "workers" already exists\n`,
      )
    },
  },
  {
    title: 'create makes every kind that it has a command for',
    async run({ k }) {
      for (const [command, made] of generators) assert.equal(await k.ok([`create ${command}`]), `${made} created\n`)
      assert.equal((await k.object`get configmap settings -o json`).data['a'], '1')
      assert.equal((await k.object`get secret opaque -o json`).data['password'], Buffer.from('x').toString('base64'))
      assert.equal((await k.object`get deployment web -o json`).spec['replicas'], 2)
    },
  },
  {
    title: 'create makes CronJobs and PodDisruptionBudgets',
    since: 21,
    async run({ k }) {
      for (const [command, made] of laterGenerators) assert.equal(await k.ok([`create ${command}`]), `${made} created\n`)
      assert.equal((await k.object`get cronjob nightly -o json`).spec['schedule'], '@daily')
      assert.equal((await k.object`get pdb web -o json`).spec['minAvailable'], 1)
    },
  },
  {
    title: 'create from several documents makes each',
    async run({ k }) {
      const input = `${manifest(files.nodePool, { name: 'a' })}\n---\n${manifest(files.hostedCluster)}`
      assert.equal(
        await k.with({ input }).ok`create -f -`,
        'nodepool.hypershift.openshift.io/a created\nhostedcluster.hypershift.openshift.io/prod created\n',
      )
    },
  },
  {
    title: 'create refuses a field that the kind does not have',
    async run({ k }) {
      const complaint = await k.with({ input: typo }).fails`create -f -`
      assert.match(
        complaint,
        k.minor < 25
          ? /^error: error validating "STDIN": error validating data: ValidationError\(NodePool\.spec\): unknown field "replica" in /
          : /^Error from server \(BadRequest\): error when creating "STDIN": NodePool in version "v1beta1" cannot be handled as a NodePool: strict decoding error: unknown field "spec\.replica"\n$/,
      )
      assert.equal(await k.ok`get np`, '')
    },
  },
  {
    title: 'create --validate=false drops such a field',
    async run({ k }) {
      await k.with({ input: typo }).ok`create --validate=false -f -`
      assert.ok(!('replica' in (await k.object`get np workers -o json`).spec))
    },
  },
  {
    title: 'create --validate=warn warns of such a field',
    since: 25,
    async run({ k }) {
      const { status, stderr } = await k.with({ input: typo }).run`create --validate=warn -f -`
      assert.equal(status, 0)
      assert.equal(stderr, 'Warning: unknown field "spec.replica"\n')
    },
  },
  {
    title: 'create refuses values that the schema forbids, and names each',
    async run({ k }) {
      const bad = manifest(files.nodePool, { spec: { replicas: -1, arch: 'vax' } })
      const complaint = await k.with({ input: bad }).fails`create -f -`
      assert.match(complaint, /^The NodePool "workers" is invalid: \n(\* .*\n)+$/)
      assert.match(complaint, /^\* spec\.arch: Unsupported value: "vax": supported values: "arm64", "amd64", "ppc64le", "s390x"$/m)
      assert.match(complaint, /^\* \.?spec\.replicas: Invalid value: -1: /m)
      const rule = manifest(files.nodePool, { spec: { replicas: undefined, autoScaling: { min: 3, max: 1 } } })
      assert.match(
        await k.with({ input: rule }).fails`create -f -`,
        /^The NodePool "workers" is invalid: spec\.autoScaling: Invalid value: "object": max must be equal or greater than min\n$/,
      )
    },
  },
  {
    title: 'create refuses a missing namespace and a bad name',
    async run({ k }) {
      assert.match(
        await k.with({ input: manifest(files.nodePool, { metadata: { namespace: 'nope' } }) }).fails`-n nope create -f -`,
        /^Error from server \(NotFound\): error when creating "STDIN": namespaces "nope" not found\n$/,
      )
      assert.match(
        await k.fails`create namespace A_b`,
        /^The Namespace "A_b" is invalid: metadata\.name: Invalid value: "A_b": a lowercase RFC 1123 label must consist of/,
      )
    },
  },
]
