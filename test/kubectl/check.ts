import type { Answer, client } from '../support/client.ts'
import type { Kubectl } from '../support/kubectl.ts'
import type { Credentials } from '../support/windlass.ts'

/** What a check finds when it starts: a server with our kinds, and an empty namespace that is the default of its kubectl. */
export interface Scene {
  readonly k: Kubectl
  readonly namespace: string
  /** Arranges what kubectl is then asked about, and plays the controllers that a bare server lacks. */
  readonly api: ReturnType<typeof client>
  readonly server: Credentials
  /** For files of the check's own. */
  readonly folder: string
}

/** One row of the table: something that kubectl is documented to do. */
export interface Check {
  readonly title: string
  /** The first kubectl 1.x that can do it. */
  readonly since?: number
  readonly run: (scene: Scene) => Promise<void>
}

/** Where objects of a kind live in the scene's namespace. */
export const paths = {
  nodePools: ({ namespace }: Scene): string => `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/nodepools`,
  hostedClusters: ({ namespace }: Scene): string => `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/hostedclusters`,
  core: ({ namespace }: Scene, plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`,
  apps: ({ namespace }: Scene, plural: string): string => `/apis/apps/v1/namespaces/${namespace}/${plural}`,
}

/** An object that is wanted as it is: tests look into what they know to be there. */
export type Body = Answer['body']
