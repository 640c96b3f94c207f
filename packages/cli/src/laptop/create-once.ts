import type { KubernetesObject, Resource } from '@windlass/api'
import { type Client, type Draft, isAlreadyExists } from '@windlass/kube'

/** Creates what is not there. What is there already was made by an earlier process, or by people, and stays as it is. */
export async function createOnce<T extends KubernetesObject>(
  client: Client,
  kind: Resource<T>,
  draft: Draft<T>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(kind, draft, { signal })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
