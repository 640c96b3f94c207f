import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch, type Running } from '../hosted/processes.ts'
import { freePort } from '../support/free-port.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { newestKubectl } from '../support/newest-kubectl.ts'
import { until } from '../support/until.ts'
import { type RunningServer, startServer } from '../support/windlass.ts'
import { accounts, type Base, deployFolder, deploymentOf } from './manifests.ts'

const tokenOf = (base: Base): string => `token-of-${base}`

/** Namespaces that an OpenShift cluster has, in which rights are given. */
const openShift = ['openshift-monitoring', 'openshift-config', 'openshift-deployment-validation-operator']

/** An empty cluster with what OpenShift brings and the accounts of all bases, and people who install them with kubectl. */
export class DeployStage {
  readonly server: RunningServer
  readonly k: Kubectl
  readonly #kubectlWith: (kubeconfig: string) => Kubectl
  readonly #running: Running[] = []

  private constructor(server: RunningServer, kubectlWith: (kubeconfig: string) => Kubectl) {
    this.server = server
    this.k = kubectlWith(server.kubeconfig)
    this.#kubectlWith = kubectlWith
  }

  static async set(): Promise<DeployStage> {
    const tokens = Object.entries(accounts).map(([base, account]) => {
      const [namespace = ''] = account.split(':')
      const groups = `"system:serviceaccounts,system:serviceaccounts:${namespace},system:authenticated"`
      return `${tokenOf(base as Base)},system:serviceaccount:${account},${base},${groups}`
    })
    const server = await startServer({ args: ['--memory'], tokens: `${tokens.join('\n')}\n` })
    const stage = new DeployStage(server, await newestKubectl(server.directory))
    await stage.k.ok`apply -k ${join(deployFolder, 'crds/openshift')}`
    await stage.untilEstablished()
    for (const name of openShift) await stage.k.ok`create namespace ${name}`
    return stage
  }

  async untilEstablished(): Promise<void> {
    // A new one has no conditions at all.
    const path = 'jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Established")].status}{" "}{end}'
    await until('definitions to be established', async () => {
      const states = (await this.k.run`get crd -o ${path}`).stdout.trim().split(/\s+/)
      return states.every((state) => state.endsWith('=True'))
    })
  }

  /** A kubeconfig with which somebody is the account of a base. */
  kubeconfigOf(base: Base): string {
    const { directory, server, ca } = this.server
    const file = join(directory, `${base}.kubeconfig`)
    // Written anew: with the certificate of the administrator in it, the token would not count.
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'here', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: base, user: { token: tokenOf(base) } }],
      contexts: [{ name: base, context: { cluster: 'here', user: base } }],
      'current-context': base,
    }
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    return file
  }

  /** kubectl of somebody who is that account. */
  kubectlOf(base: Base): Kubectl {
    return this.#kubectlWith(this.kubeconfigOf(base))
  }

  /** Runs what the Deployment of a base runs, as its account, with more arguments; on this machine, where ports may be taken. */
  async run(base: Base, ...more: readonly string[]): Promise<Running> {
    const [container] = deploymentOf(base).template.spec.containers
    const args = await Promise.all(
      container.args.map(async (argument) =>
        argument.replace('0.0.0.0', '127.0.0.1').replace(/^(--[a-z]+-port)=\d+$/, `$1=${await freePort()}`),
      ),
    )
    const running = launch([...args, '--kubeconfig', this.kubeconfigOf(base), '--log-level', 'warn', ...more])
    this.#running.push(running)
    await running.ready
    return running
  }

  /** A command of ours, as somebody who may do everything. */
  async runAsAdmin(...args: readonly string[]): Promise<Running> {
    const running = launch([...args, '--kubeconfig', this.server.kubeconfig, '--log-level', 'warn'])
    this.#running.push(running)
    await running.ready
    return running
  }

  async clear(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.kill()))
    await this.server.stop()
    rmSync(this.server.directory, { recursive: true, force: true })
  }
}
