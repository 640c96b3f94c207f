import type { Resource } from '@windlass/api'
import { isUnknownKind } from '@windlass/kube'
import type { Client } from '@windlass/kube'
import { type TemplateKind, templateKinds } from './templates/index.ts'

/**
 * Asks a management cluster which kinds of machine templates it has.
 *
 * Caveat: this is asked once, when controllers are made. A provider that is installed later is used after the next start.
 */
export async function discoverTemplateKinds(client: Pick<Client, 'pages'>, signal?: AbortSignal): Promise<readonly TemplateKind[]> {
  const served: TemplateKind[] = []
  for (const kind of Object.values(templateKinds)) if (await isServed(client, kind, signal)) served.push(kind)
  return served
}

async function isServed(client: Pick<Client, 'pages'>, kind: Resource, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    for await (const _ of client.pages(kind, { pageSize: 1, ...(signal === undefined ? {} : { signal }) })) break
    return true
  } catch (error) {
    if (isUnknownKind(error)) return false
    throw error
  }
}
