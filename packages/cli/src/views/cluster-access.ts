import { systemRandom } from '@windlass/core'
import { type Client, connect } from '@windlass/kube'
import type { Context } from '../context.ts'
import { version } from '../version.ts'
import type { ClusterFlags } from './options.ts'

/** Asks the cluster that the flags, the environment or the usual kubeconfig lead to. The connection is closed at the end, whatever happens. */
export async function withClient<R>({ clock }: Context, flags: ClusterFlags, use: (client: Client) => Promise<R>): Promise<R> {
  const client = await connect({
    clock,
    random: systemRandom,
    userAgent: `windlass/${version}`,
    fieldManager: 'windlass',
    ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
    ...(flags.context === undefined ? {} : { context: flags.context }),
  })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
