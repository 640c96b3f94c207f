import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { table } from '../support/kubectl.ts'
import type { Check, Scene } from './check.ts'

/** A kubeconfig that knows nothing but this token. */
function asBearer({ k, folder, namespace, server }: Scene, token: string): Scene['k'] {
  const file = join(folder, 'bearer.kubeconfig')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'windlass', cluster: { server: server.server, 'certificate-authority-data': Buffer.from(server.ca).toString('base64') } },
    ],
    users: [{ name: 'bearer', user: { token } }],
    contexts: [{ name: 'windlass', context: { cluster: 'windlass', user: 'bearer', namespace } }],
    'current-context': 'windlass',
  }
  writeFileSync(file, dump(config), { mode: 0o600 })
  return k.with({ env: { KUBECONFIG: file } })
}

/** `auth reconcile` takes the namespace from the file alone. */
function role(namespace: string, verb: string): string {
  return dump({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'pools', namespace },
    rules: [{ apiGroups: ['hypershift.openshift.io'], resources: ['nodepools'], verbs: [verb] }],
  })
}

/** Who may do what, and who is asking. */
export const access: readonly Check[] = [
  {
    title: 'auth can-i answers for oneself and for others',
    async run({ k }) {
      assert.equal(await k.ok`auth can-i delete nodepools`, 'yes\n')
      assert.equal(await k.ok`auth can-i * *`, 'yes\n')
      const { status, stdout } = await k.run`auth can-i delete nodepools --as=dev`
      assert.deepEqual([status, stdout], [1, 'no\n'])
      await k.ok`create role pools --verb=get,list --resource=nodepools.hypershift.openshift.io`
      await k.ok`create rolebinding pools --role=pools --user=dev`
      assert.equal(await k.ok`auth can-i list np --as=dev`, 'yes\n')
      assert.equal((await k.run`auth can-i delete np --as=dev`).status, 1)
      assert.equal((await k.run`auth can-i list np -A --as=dev`).status, 1)
    },
  },
  {
    title: 'auth can-i --list shows the rules',
    async run({ k }) {
      await k.ok`create role pools --verb=get,list --resource=nodepools.hypershift.openshift.io`
      await k.ok`create rolebinding pools --role=pools --user=dev`
      const rules = table(await k.ok`auth can-i --list --as=dev`)
      assert.equal(rules.find((rule) => rule['Resources'] === 'nodepools.hypershift.openshift.io')?.['Verbs'], '[get list]')
      assert.equal(rules.find((rule) => rule['Resources'] === 'selfsubjectaccessreviews.authorization.k8s.io')?.['Verbs'], '[create]')
      assert.equal(table(await k.ok`auth can-i --list`)[0]?.['Resources'], '*.*')
    },
  },
  {
    title: 'a user without the right is refused, and the refusal says what was missing',
    async run({ k, namespace }) {
      assert.equal(
        await k.fails`get np --as=dev`,
        `Error from server (Forbidden): nodepools.hypershift.openshift.io is forbidden: User "dev" cannot list resource "nodepools" in API group "hypershift.openshift.io" in the namespace "${namespace}"\n`,
      )
    },
  },
  {
    title: 'auth reconcile makes and extends roles',
    async run({ k, namespace }) {
      assert.match(
        await k.with({ input: role(namespace, 'get') }).ok`auth reconcile -f -`,
        /^role\.rbac\.authorization\.k8s\.io\/pools reconciled\n/,
      )
      await k.with({ input: role(namespace, 'list') }).ok`auth reconcile -f -`
      await k.ok`create rolebinding pools --role=pools --user=dev`
      for (const verb of ['get', 'list']) assert.equal(await k.ok`auth can-i ${verb} np --as=dev`, 'yes\n')
    },
  },
  {
    title: 'auth whoami names user and groups',
    // 1.27 has the command too, but asks for a beta of the review that real servers no longer have.
    since: 28,
    async run(scene) {
      const rows = table(await scene.k.ok`auth whoami`)
      assert.equal(rows.find((row) => row['ATTRIBUTE'] === 'Groups')?.['VALUE'], '[system:masters system:authenticated]')
      const dev = table(await asBearer(scene, 'dev-token').ok`auth whoami`)
      assert.deepEqual(dev.find((row) => row['ATTRIBUTE'] === 'Username')?.['VALUE'], 'dev')
      assert.match(
        await asBearer(scene, 'wrong').fails`auth whoami`,
        /^error: You must be logged in to the server|^Error from server \(Unauthorized\)|error: Unauthorized/,
      )
    },
  },
  {
    title: 'create token makes a token that works for a service account, as long as it exists',
    since: 24,
    async run(scene) {
      const { k, namespace } = scene
      await k.ok`create serviceaccount robot`
      await k.ok`create rolebinding robot --clusterrole=view --serviceaccount=${namespace}:robot`
      const robot = asBearer(scene, (await k.ok`create token robot --duration=10m`).trim())
      assert.equal(await robot.ok`auth can-i list configmaps`, 'yes\n')
      assert.equal((await robot.run`auth can-i delete configmaps`).status, 1)
      assert.equal((await robot.run`get configmaps`).status, 0)
      assert.match(await k.fails`create token nobody`, /serviceaccounts "nobody" not found/)
      await k.ok`delete serviceaccount robot`
      assert.match(await robot.fails`get configmaps`, /You must be logged in to the server|Unauthorized/)
    },
  },
]
