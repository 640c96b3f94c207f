import type { Definition } from '../upstream-crds/definitions.ts'
import { client } from './client.ts'
import { until } from './until.ts'
import type { RunningServer } from './windlass.ts'

/** Makes definitions known, and waits until they are served. */
export async function install(server: RunningServer, definitions: readonly Definition[]): Promise<void> {
  const api = client(server)
  const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  try {
    for (const definition of definitions) await api.create(collection, definition)
    for (const { metadata } of definitions) {
      await until(`${metadata.name} to be established`, async () => {
        const { status } = (await api.get(`${collection}/${metadata.name}`)) as {
          readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
        }
        return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true
      })
    }
  } finally {
    api.close()
  }
}
