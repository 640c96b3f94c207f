import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { table } from '../support/kubectl.ts'
import type { Check } from './check.ts'
import { files } from './manifests.ts'

/** The kinds that a server has before anybody defines one. */
const builtIn = [
  'configmaps',
  'endpoints',
  'events',
  'namespaces',
  'nodes',
  'persistentvolumeclaims',
  'pods',
  'secrets',
  'serviceaccounts',
  'services',
  'customresourcedefinitions.apiextensions.k8s.io',
  'cronjobs.batch',
  'daemonsets.apps',
  'deployments.apps',
  'events.events.k8s.io',
  'jobs.batch',
  'leases.coordination.k8s.io',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'replicasets.apps',
  'statefulsets.apps',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'tokenreviews.authentication.k8s.io',
]

/** What kubectl learns about a server before it does anything: its version, its kinds and what their fields mean. */
export const discovery: readonly Check[] = [
  {
    title: 'version names the Kubernetes that the server stands for',
    async run({ k }) {
      const { serverVersion } = JSON.parse(await k.ok`version -o json`) as { serverVersion: Record<string, string> }
      assert.equal(serverVersion['major'], '1')
      assert.equal(serverVersion['minor'], '35')
      assert.match(serverVersion['gitVersion'] ?? '', /^v1\.35\.0\+windlass\.\d/)
    },
  },
  {
    title: 'cluster-info names the address of the server',
    async run({ k, server }) {
      assert.ok(stripVTControlCharacters(await k.ok`cluster-info`).includes(`control plane is running at ${server.server}\n`))
    },
  },
  {
    title: 'get --raw reaches the health checks',
    async run({ k, server }) {
      // A raw path starts at the host, whatever path the kubeconfig's server has.
      const base = new URL(server.server).pathname.replace(/\/$/, '')
      assert.equal(await k.ok`get --raw ${base}/readyz`, 'ok')
      assert.match(await k.ok`get --raw ${base}/readyz?verbose`, /^\[\+\].* ok\n[^]*readyz check passed\n$/)
    },
  },
  {
    title: 'api-resources lists our kinds with short names, scope and verbs',
    async run({ k }) {
      const listed = table(await k.ok`api-resources --api-group=hypershift.openshift.io -o wide`)
      const nodePools = listed.find(({ NAME }) => NAME === 'nodepools')
      const { VERBS, ...rest } = nodePools ?? {}
      assert.deepEqual(
        { ...rest, CATEGORIES: '' },
        {
          NAME: 'nodepools',
          SHORTNAMES: 'np,nps',
          APIVERSION: 'hypershift.openshift.io/v1beta1',
          NAMESPACED: 'true',
          KIND: 'NodePool',
          CATEGORIES: '',
        },
      )
      const verbs = VERBS?.match(/[a-z]+/g)?.toSorted()
      assert.deepEqual(verbs, ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'])
    },
  },
  {
    title: 'api-resources lists every built-in kind once',
    async run({ k }) {
      const names = (await k.ok`api-resources -o name`).trimEnd().split('\n')
      for (const name of builtIn)
        assert.deepEqual(
          names.filter((listed) => listed === name),
          [name],
        )
    },
  },
  {
    title: 'api-resources --namespaced=false leaves out what lives in namespaces',
    async run({ k }) {
      const names = (await k.ok`api-resources --namespaced=false -o name`).trimEnd().split('\n')
      for (const name of ['nodes', 'namespaces', 'clusterroles.rbac.authorization.k8s.io', 'clusterversions.config.openshift.io'])
        assert.ok(names.includes(name), name)
      for (const name of ['pods', 'nodepools.hypershift.openshift.io']) assert.ok(!names.includes(name), name)
    },
  },
  {
    title: 'api-versions lists group versions in order',
    async run({ k }) {
      const versions = (await k.ok`api-versions`).trimEnd().split('\n')
      assert.deepEqual(versions, versions.toSorted())
      for (const version of ['apps/v1', 'hypershift.openshift.io/v1beta1', 'policy/v1', 'v1'])
        assert.ok(versions.includes(version), version)
    },
  },
  {
    title: 'explain shows type and description of a field of ours',
    async run({ k }) {
      const text = await k.ok`explain nodepool.spec.replicas`
      assert.match(text, /^KIND: +NodePool$/m)
      assert.match(text, k.minor < 27 ? /^VERSION: +hypershift.openshift.io\/v1beta1$/m : /^GROUP: +hypershift.openshift.io$/m)
      assert.match(text, /^FIELD: +replicas <integer>$/m)
      assert.match(text, /^DESCRIPTION:\n +How many there are/m)
    },
  },
  {
    title: 'explain --recursive shows the fields below a field',
    async run({ k }) {
      const text = await k.ok`explain np.spec.management --recursive`
      assert.match(text, /^ +upgradeType\s+<string>/m)
      assert.match(text, /^ +rollingUpdate\s+<Object>/m)
      assert.match(text, /^ +strategy\s+<string>/m)
    },
  },
  {
    title: 'explain lists the values that a field may have',
    since: 30,
    async run({ k }) {
      assert.match(await k.ok`explain np.spec.arch`, /^ENUM:\n +arm64\n +amd64\n +ppc64le\n +s390x$/m)
    },
  },
  {
    title: 'explain knows built-in kinds',
    async run({ k }) {
      assert.match(await k.ok`explain deployment.spec.template.spec.containers.image`, /^FIELD: +image <string>$/m)
    },
  },
  {
    title: 'explain refuses a field that is not there',
    async run({ k }) {
      assert.match(await k.fails`explain np.spec.replica`, /^error: field "replica" does not exist/)
    },
  },
  {
    title: 'a definition that was applied is there as soon as it is established, and gone with its objects when it is deleted',
    async run({ k }) {
      assert.equal(
        await k.ok`apply -f ${files.widgetDefinition}`,
        'customresourcedefinition.apiextensions.k8s.io/widgets.kubectl.windlass.dev created\n',
      )
      assert.match(await k.ok`wait --for=condition=Established crd/widgets.kubectl.windlass.dev --timeout=10s`, /condition met\n$/)
      assert.equal((await k.run`get widgets`).status, 0)
      const widget = (name: string, color: string): string =>
        JSON.stringify({ apiVersion: 'kubectl.windlass.dev/v1', kind: 'Widget', metadata: { name }, spec: { color } })
      assert.equal(
        await k.with({ input: `${widget('a', 'red')}\n${widget('b', 'blue')}` }).ok`create -f -`,
        'widget.kubectl.windlass.dev/a created\nwidget.kubectl.windlass.dev/b created\n',
      )
      assert.equal(await k.ok`get wd --field-selector spec.color=blue -o name`, 'widget.kubectl.windlass.dev/b\n')
      assert.match(await k.ok`get all`, /^widget\.kubectl\.windlass\.dev\/a /m)
      assert.match(await k.ok`delete crd widgets.kubectl.windlass.dev`, /"widgets\.kubectl\.windlass\.dev" deleted/)
      assert.match(await k.fails`get widgets`, /the server doesn't have a resource type "widgets"|could not find the requested resource/)
    },
  },
]
