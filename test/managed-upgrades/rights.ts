import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultNamespace, operatorName } from '@windlass/upgrades'
import type { Kubectl } from '../support/kubectl.ts'
import type { RunningServer } from '../support/windlass.ts'

const deployed = (name: string): string => join(import.meta.dirname, '../../deploy/upgrades', name)

/** A kubeconfig of the operator's ServiceAccount, which may do what `deploy/upgrades` lets it do, and nothing else. */
export async function operatorKubeconfig({ directory, kubeconfig }: RunningServer, k: Kubectl): Promise<string> {
  await k.ok`create namespace openshift-deployment-validation-operator`
  await k.ok`apply -f ${deployed('namespace.yaml')} -f ${deployed('cluster-role.yaml')} -f ${deployed('roles.yaml')}`
  const token = (await k.ok`create token ${operatorName} -n ${defaultNamespace} --duration 1h`).trim()
  const file = join(directory, 'operator.kubeconfig')
  const text = readFileSync(kubeconfig, 'utf8')
  const own = text.replace(/^( +)token: .*$/m, `$1token: ${token}`)
  assert.notEqual(own, text, 'the kubeconfig of the server has no token that could be replaced')
  writeFileSync(file, own)
  return file
}
