import assert from 'node:assert/strict'
import type { Check } from './check.ts'
import { files, manifest } from './manifests.ts'

/** Subcommands of create, and what each of them says when it is done. */
const generators: readonly (readonly [command: string, made: string])[] = [
  ['configmap settings --from-literal=a=1', 'configmap/settings'],
  ['secret generic opaque --from-literal=password=x', 'secret/opaque'],
  ['secret docker-registry pull --docker-server=example.com --docker-username=u --docker-password=p', 'secret/pull'],
  ['serviceaccount robot', 'serviceaccount/robot'],
  ['role reader --verb=get,list --resource=nodepools.hypershift.openshift.io', 'role.rbac.authorization.k8s.io/reader'],
  ['rolebinding readers --role=reader --user=dev', 'rolebinding.rbac.authorization.k8s.io/readers'],
  ['quota small --hard=pods=3,requests.cpu=1', 'resourcequota/small'],
  ['deployment web --image=example.com/web:1', 'deployment.apps/web'],
  ['job once --image=example.com/once:1', 'job.batch/once'],
  ['service clusterip web --tcp=80:8080', 'service/web'],
]

/** `batch/v1` and `policy/v1` came to kubectl with 1.21; before, it asks for betas that no current server has. */
const laterGenerators: typeof generators = [
  ['cronjob nightly --image=example.com/once:1 --schedule=*/5', 'cronjob.batch/nightly'],
  ['poddisruptionbudget web --selector=app=web --min-available=1', 'poddisruptionbudget.policy/web'],
]

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
    title: 'create makes objects of every kind that it has a command for',
    async run({ k }) {
      for (const [words, made] of generators) {
        const [kind, name, ...flags] = words.split(' ')
        const output = await k.ok`create ${kind ?? ''} ${name ?? ''} ${flags[0] ?? ''} ${flags[1] ?? '-o=name'} ${flags[2] ?? '-o=name'}`
        assert.ok(output.startsWith(made), output)
      }
    },
  },
]
void laterGenerators
void manifest
