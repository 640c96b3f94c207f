import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findKubectls } from '../../scripts/tools/kubectl.ts'
import { type Kubectl, kubectl } from './kubectl.ts'

/** The newest kubectl there is, in a home of its own in this folder, for whatever kubeconfig. */
export async function newestKubectl(folder: string): Promise<(kubeconfig: string) => Kubectl> {
  const newest = (await findKubectls()).at(-1)
  if (newest === undefined) throw new Error('there is no kubectl')
  const home = join(folder, 'home')
  mkdirSync(home)
  return (kubeconfig) => kubectl(newest, { kubeconfig, home, folder: home })
}
