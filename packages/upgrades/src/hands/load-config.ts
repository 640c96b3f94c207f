import { ConfigMap } from '@windlass/api'
import type { ReconcileContext } from '@windlass/kube'
import { configMapName, type OperatorConfig, readConfig } from '../config/index.ts'

/** Reads the configuration from the server, in each pass anew: an edit needs no restart, and is not late. A missing ConfigMap is an error of the API. */
export async function loadConfig(
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  namespace: string,
  minute: number,
): Promise<OperatorConfig> {
  return readConfig(await client.get(ConfigMap, { namespace, name: configMapName }, { signal }), minute)
}
